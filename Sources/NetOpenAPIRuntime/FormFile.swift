#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A file in a multipart form: data in memory, or a file on disk that is read while it goes out.
///
///     let small = FormFile(Data("a,b\n".utf8), filename: "table.csv", contentType: "text/csv")
///     let large = FormFile(path: "/tmp/film.mp4")
public struct FormFile: Sendable, Hashable {
    /// Where the contents come from.
    public enum Contents: Sendable, Hashable {
        case data(Data)
        /// A file, read piece by piece and never held in memory. One that cannot be read is an `.encoding` error when the
        /// request is prepared.
        case file(path: String)
    }

    /// The contents.
    public var contents: Contents
    /// The name sent with it. Default `file`, or the last component of the path.
    public var filename: String
    /// The type that was chosen; nil leaves it to the document and the file.
    private var chosenType: String?

    /// The media type that is sent where no document says another one: the one that was chosen, else what the name of the
    /// file says, else what its bytes say, else `application/octet-stream`.
    public var contentType: String {
        get { chosenType ?? (ownType ?? .octetStream).description }
        set { chosenType = newValue }
    }

    /// Creates a file of data in memory.
    ///
    /// - Parameter contentType: The media type, whatever the document says. Default nil: the one that the document names for
    ///   the part; where it names none, what the name says, else what the bytes say, else `application/octet-stream`. Of
    ///   several that it names, the one that the name or the bytes say.
    public init(_ data: Data, filename: String = "file", contentType: String? = nil) {
        contents = .data(data)
        self.filename = filename
        chosenType = contentType
    }

    /// Creates a file on disk; nothing is read before the request is prepared.
    ///
    /// - Parameters:
    ///   - filename: The name that is sent. Default nil: the last component of the path.
    ///   - contentType: The media type, whatever the document says. Default nil: the one that the document names for the
    ///     part; where it names none, what the name says, else `application/octet-stream`.
    public init(path: String, filename: String? = nil, contentType: String? = nil) {
        contents = .file(path: path)
        self.filename = filename ?? path.split(separator: "/").last.map(String.init) ?? path
        chosenType = contentType
    }

    /// The type by the file itself: its name, its path, its bytes where they are in memory; nil where none of them tells.
    private var ownType: MediaType? {
        if let type = FormPart.named(filename) { return type }
        return switch contents {
        case .data(let data): .sniff(Bytes(data.prefix(MediaType.sniffedBytes)))
        case .file(let path): FormPart.named(path)
        }
    }

    /// The type to send, where a document names these.
    private func contentType(among declared: [String]) -> String {
        if let chosenType { return chosenType }
        let concrete = declared.filter { !$0.contains("*") }
        if declared.count == 1, let only = concrete.first { return only }
        guard let own = ownType else {
            let isGeneric = concrete.isEmpty || concrete.contains { MediaType($0) == .octetStream }
            return isGeneric ? MediaType.octetStream.description : concrete[0]
        }
        // With the parameters that the document gives it.
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

// What generated code appends: properties of any type.
extension MultipartForm {
    /// Adds a value as text, a list as one part for each element, an object as JSON, or as a form where `contentType` is
    /// `application/x-www-form-urlencoded`; nil adds nothing.
    public mutating func append(_ name: String, _ value: (some Encodable)?, contentType: String? = nil) {
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
                let fields = try parameter.formItems().formEncoded
                append(.data(name, Bytes(fields.utf8), contentType: contentType))
            }
        } catch {
            let reason = (error as? NetError)?.message ?? ErrorSummary.describe(error)
            problem = problem ?? "the part \"\(name)\" cannot be encoded: \(reason)"
        }
    }

    /// Adds a file; nil adds nothing.
    ///
    /// - Parameter contentTypes: The media types that the document allows, `image/*` among them. A file that was given a type
    ///   of its own keeps it. Default none.
    public mutating func append(_ name: String, _ file: FormFile?, contentTypes: [String] = []) {
        guard let file else { return }
        append(file.part(name, contentTypes))
    }

    /// Adds files, a part for each; nil adds nothing.
    ///
    /// - Parameter contentTypes: As for one file. Default none.
    public mutating func append(_ name: String, _ files: [FormFile]?, contentTypes: [String] = []) {
        for file in files ?? [] { append(name, file, contentTypes: contentTypes) }
    }

    private mutating func appendJSON(_ name: String, _ value: some Encodable, _ contentType: String?) throws {
        let type = contentType ?? "application/json"
        let bytes = try Charset.encode(json: JSONCoding.standard.encode(value), contentType: type)
        append(.data(name, bytes, contentType: type))
    }
}
