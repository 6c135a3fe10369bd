/// Reads an OpenAPI document, JSON or YAML, from a file or from bytes.
///
///     let document = try DocumentLoader().load(path: "openapi.yaml")
///     guard !document.hasErrors else { return print(document.diagnostics) }
///
/// The format is told by the content, not by the file's extension.
public struct DocumentLoader: Sendable {
    /// The folder that `$ref` may reach files in; nil means the folder of the document itself.
    public var referenceFolder: String?
    /// The largest file that is read, in bytes; 64 MiB unless set.
    public var maximumFileSize: Int

    /// A loader with its limits.
    public init(referenceFolder: String? = nil, maximumFileSize: Int = 64 * 1024 * 1024) {
        self.referenceFolder = referenceFolder
        self.maximumFileSize = maximumFileSize
    }

    /// Reads the document at a path.
    ///
    /// What is wrong with the document's frame (no `openapi`, no `paths`, an unknown version) is in its diagnostics.
    ///
    /// - Throws: An error diagnostic when the file cannot be read or is neither JSON nor YAML.
    public func load(path: String) throws(Diagnostic) -> Document {
        let text = try readText(path: path, name: path)
        let canonical = FileBytes.canonicalPath(path) ?? path
        var document = checked(text, name: path)
        document.path = canonical
        document.referenceFolder = try folder(of: canonical, name: path)
        return document
    }

    /// Reads a document from memory. Its references can reach no other file.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 text.
    ///   - name: What positions call the document.
    /// - Throws: An error diagnostic when the bytes are neither JSON nor YAML.
    public func load(bytes: [UInt8], name: String) throws(Diagnostic) -> Document {
        checked(try parse(bytes, name: name), name: name)
    }

    /// Reads any JSON or YAML file, an OpenAPI document or a part of one.
    func readText(path: String, name: String) throws(Diagnostic) -> ParsedText {
        try parse(try FileBytes.read(path, limit: maximumFileSize), name: name)
    }

    /// Reads a file of prose as one piece of text.
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

    /// Tries what is not JSON as YAML in flow style; the file's name decides which error is told.
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
