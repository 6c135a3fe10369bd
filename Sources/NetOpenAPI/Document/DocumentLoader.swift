/// Reads an OpenAPI document, JSON or YAML, from a file or from bytes.
///
///     let document = try DocumentLoader().load(path: "openapi.yaml")
///     guard !document.hasErrors else { return print(document.diagnostics) }
///
/// The content determines the format, not the file extension.
public struct DocumentLoader: Sendable {
    /// The folder that contains all files `$ref` may refer to. Default nil: the folder of the document.
    public var referenceFolder: String?
    /// The maximum size of a file, in bytes. Default 64 MiB.
    public var maximumFileSize: Int

    /// Creates a loader with its limits.
    public init(referenceFolder: String? = nil, maximumFileSize: Int = 64 * 1024 * 1024) {
        self.referenceFolder = referenceFolder
        self.maximumFileSize = maximumFileSize
    }

    /// Reads the document at a path.
    ///
    /// Problems with the document's top-level fields (no `openapi`, no `paths`, an unknown version) are in its
    /// diagnostics.
    ///
    /// - Throws: An error diagnostic if the file can't be read, or is neither JSON nor YAML.
    public func load(path: String) throws(Diagnostic) -> Document {
        let text = try readText(path: path, name: path)
        let canonical = FileBytes.canonicalPath(path) ?? path
        var document = checked(text, name: path)
        document.path = canonical
        document.referenceFolder = try folder(of: canonical, name: path)
        return document
    }

    /// Reads a document from memory. Its references can't refer to other files.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 text.
    ///   - name: The name of the document in positions.
    /// - Throws: An error diagnostic if the bytes are neither JSON nor YAML.
    public func load(bytes: [UInt8], name: String) throws(Diagnostic) -> Document {
        checked(try parse(bytes, name: name), name: name)
    }

    /// Reads any JSON or YAML file: an OpenAPI document or a part of one.
    func readText(path: String, name: String) throws(Diagnostic) -> ParsedText {
        try parse(try FileBytes.read(path, limit: maximumFileSize), name: name)
    }

    /// Reads a file of prose as a single text.
    func readProse(path: String, name: String) throws(Diagnostic) -> ParsedText {
        let bytes = try FileBytes.read(path, limit: maximumFileSize)
        try TextEncodingCheck.validate(bytes, name: name)
        let text = String(decoding: bytes.dropFirst(TextEncodingCheck.byteOrderMarkLength(bytes)), as: UTF8.self)
        let position = SourcePosition(file: name, line: 1, column: 1)
        return ParsedText(root: Node(.scalar(text, isQuoted: true), at: position), warnings: [])
    }

    private func checked(_ text: ParsedText, name: String) -> Document {
        let frame = DocumentValidator.validate(text.root)
        return Document(
            root: text.root, name: name, version: frame.version, diagnostics: text.warnings + frame.diagnostics)
    }

    private func folder(of path: String, name: String) throws(Diagnostic) -> String {
        guard let referenceFolder else { return FilePath.folder(of: path) }
        guard let folder = FileBytes.canonicalPath(referenceFolder), FileBytes.isFolder(folder) else {
            throw Diagnostic(.error, "there is no folder '\(referenceFolder)' for the document's references")
        }
        guard FilePath.relative(path, to: folder) != nil else {
            throw Diagnostic(.error, "the document '\(name)' is not in the folder '\(referenceFolder)'")
        }
        return folder
    }

    private func parse(_ bytes: [UInt8], name: String) throws(Diagnostic) -> ParsedText {
        guard bytes.count <= maximumFileSize else {
            throw FileBytes.tooLarge(name, limit: maximumFileSize)
        }
        try TextEncodingCheck.validate(bytes, name: name)
        let mark = TextEncodingCheck.byteOrderMarkLength(bytes)
        guard let first = bytes[mark...].first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
            throw Diagnostic(
                .error, bytes.isEmpty ? "the file is empty (0 bytes)" : "the document is empty",
                at: SourcePosition(file: name, line: 1, column: 1))
        }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            return try YAMLReader.read(bytes, name: name)
        }
        do throws(Diagnostic) {
            return try JSONReader.read(bytes, name: name)
        } catch {
            return try parseFlow(bytes, name: name, jsonError: error)
        }
    }

    /// Parses text that isn't JSON as flow-style YAML. The file name determines which of the two errors is thrown.
    private func parseFlow(_ bytes: [UInt8], name: String, jsonError: Diagnostic) throws(Diagnostic) -> ParsedText {
        let isNamedYAML = name.hasSuffix(".yaml") || name.hasSuffix(".yml")
        do throws(Diagnostic) {
            var text = try YAMLReader.read(bytes, name: name)
            if !isNamedYAML {
                var warning = jsonError
                warning.severity = .warning
                warning.message = "the document is read as YAML, since it is not JSON: \(jsonError.message)"
                text.warnings.append(warning)
            }
            return text
        } catch {
            throw isNamedYAML ? error : jsonError
        }
    }
}
