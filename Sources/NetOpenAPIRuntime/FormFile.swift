internal import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A file in a multipart form: data in memory, or a file on disk that's read while it's sent.
///
///     let small = FormFile(Data("a,b\n".utf8), filename: "table.csv", contentType: "text/csv")
///     let large = FormFile(path: "/tmp/film.mp4")
public struct FormFile: Sendable, Hashable {
    /// The source of a file's contents.
    public enum Contents: Sendable, Hashable {
        case data(Data)
        /// A file that's read piece by piece and never held in memory. An unreadable file throws `.encoding` when the
        /// request is prepared.
        case file(path: String)
    }

    /// The source of the contents.
    public var contents: Contents
    /// The name sent with the file. Default `file`, or the last component of the path.
    public var filename: String
    /// The explicitly chosen media type; nil if the document and the file determine it.
    private var chosenType: String?

    /// The media type sent if no document specifies another: the one that was chosen explicitly, else the one that the
    /// file name implies, else the one that the bytes imply, else `application/octet-stream`.
    public var contentType: String {
        get { chosenType ?? (ownType ?? .octetStream).description }
        set { chosenType = newValue }
    }

    /// Creates a file from data in memory.
    ///
    /// - Parameters:
    ///   - data: The contents.
    ///   - filename: The name sent with the file. Default `file`.
    ///   - contentType: The media type, regardless of the document. Default nil: the one that the document declares for
    ///     the part. If it declares none, the one that the name implies, else the one that the bytes imply, else
    ///     `application/octet-stream`. If it declares several, the one that matches the name or the bytes.
    public init(_ data: Data, filename: String = "file", contentType: String? = nil) {
        contents = .data(data)
        self.filename = filename
        chosenType = contentType
    }

    /// Creates a file from a path; nothing is read before the request is prepared.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - filename: The name sent with the file. Default nil: the last component of the path.
    ///   - contentType: The media type, regardless of the document. Default nil: the one that the document declares for
    ///     the part. If it declares none, the one that the name implies, else `application/octet-stream`.
    public init(path: String, filename: String? = nil, contentType: String? = nil) {
        contents = .file(path: path)
        self.filename = filename ?? path.split(separator: "/").last.map(String.init) ?? path
        chosenType = contentType
    }

    /// The media type that the file implies by its name, path, or bytes in memory; nil if none of them does.
    private var ownType: MediaType? {
        if let type = FormPart.named(filename) { return type }
        return switch contents {
        case .data(let data): .sniff(Bytes(data.prefix(MediaType.sniffedBytes)))
        case .file(let path): FormPart.named(path)
        }
    }

    /// Returns the media type to send if the document declares these.
    private func contentType(among declared: [String]) -> String {
        if let chosenType { return chosenType }
        let concrete = declared.filter { !$0.contains("*") }
        if declared.count == 1, let only = concrete.first { return only }
        guard let own = ownType else {
            let isGeneric = concrete.isEmpty || concrete.contains { MediaType($0) == .octetStream }
            return isGeneric ? MediaType.octetStream.description : concrete[0]
        }
        // Keeps the parameters that the document specifies.
        return concrete.first { MediaType($0)?.essence == own.essence } ?? own.description
    }

    fileprivate func part(_ name: String, _ declared: [String]) -> FormPart {
        let type = contentType(among: declared)
        return switch contents {
        case .data(let data): .data(name, data, filename: filename, contentType: type)
        case .file(let path): .file(name, path: path, filename: filename, contentType: type)
        }
    }
}

// Used by generated code: properties of any type.
extension MultipartForm {
    /// Appends a value as text, a list as one part per element, an object as JSON, or as a form if `contentType` is
    /// `application/x-www-form-urlencoded`; nil appends nothing.
    @_spi(Generated) public mutating func append(_ name: String, _ value: (some Encodable)?, contentType: String? = nil)
    {
        guard let value else { return }
        let type = contentType.flatMap { MediaType($0) }
        do {
            if type?.isJSON ?? false { return try appendJSON(name, value, contentType) }
            let parameter = try ParameterValue(value)
            switch parameter {
            case .null: break
            case .scalar(let text): append(.text(name, text, contentType: contentType))
            case .array(let elements):
                guard elements.allSatisfy({ if case .scalar = $0 { true } else { false } }) else {
                    return try appendJSON(name, value, contentType)
                }
                for element in elements { append(.text(name, element.text, contentType: contentType)) }
            case .object:
                guard type?.essence == "application/x-www-form-urlencoded" else {
                    return try appendJSON(name, value, contentType)
                }
                let headers = try parameter.formItems().formEncoded
                append(.data(name, Bytes(headers.utf8), contentType: contentType))
            }
        } catch {
            let reason = (error as? NetError)?.message ?? ErrorSummary.describe(error)
            problem = problem ?? "the part \"\(name)\" cannot be encoded: \(reason)"
        }
    }

    /// Appends a file; nil appends nothing.
    ///
    /// - Parameter contentTypes: The media types that the document allows, including ranges such as `image/*`. A file
    ///   with an explicitly chosen type keeps it. Default none.
    @_spi(Generated) public mutating func append(_ name: String, _ file: FormFile?, contentTypes: [String] = []) {
        guard let file else { return }
        append(file.part(name, contentTypes))
    }

    /// Appends files, one part per file; nil appends nothing.
    ///
    /// - Parameter contentTypes: The media types that the document allows, as for a single file. Default none.
    @_spi(Generated) public mutating func append(_ name: String, _ files: [FormFile]?, contentTypes: [String] = []) {
        for file in files ?? [] { append(name, file, contentTypes: contentTypes) }
    }

    /// Adds a header to the parts with a name, in the style `simple`; nil adds nothing. A value that a header can't
    /// contain makes preparing the request throw `.encoding`.
    @_spi(Generated) public mutating func addHeader(_ header: String, _ value: (some Encodable)?, to name: String) {
        guard let value else { return }
        guard let field = HTTPField.Name(header), let value = try? ParameterValue(value) else {
            problem = problem ?? "the header \"\(header)\" of the part \"\(name)\" cannot be encoded"
            return
        }
        let text = ParameterStyle.simple.expanded(value, name: header, explode: false) { $0 }
        guard HTTPField.isValidValue(text) else {
            problem =
                problem
                ?? "the header \"\(header)\" of the part \"\(name)\" has a character that isn't allowed in headers"
            return
        }
        for place in parts.indices where parts[place].name == name { parts[place].headers[field] = text }
    }

    private mutating func appendJSON(_ name: String, _ value: some Encodable, _ contentType: String?) throws {
        let type = contentType ?? "application/json"
        let bytes = try Charset.encode(json: JSONCoding.standard.encode(value), contentType: type)
        append(.data(name, bytes, contentType: type))
    }
}
