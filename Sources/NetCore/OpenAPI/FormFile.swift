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
    /// Its media type. Default `application/octet-stream`, or what the name of a file on disk says.
    public var contentType: String

    /// Takes the contents and what to say about them.
    public init(_ data: Data, filename: String = "file", contentType: String = "application/octet-stream") {
        contents = .data(data)
        self.filename = filename
        self.contentType = contentType
    }

    /// Takes a file on disk; nothing is read before the request is prepared.
    ///
    /// - Parameters:
    ///   - filename: The name that is sent. Default nil: the last component of the path.
    ///   - contentType: Default nil: what the name says, else `application/octet-stream`.
    public init(path: String, filename: String? = nil, contentType: String? = nil) {
        let part = FormPart.file("file", path: path, filename: filename, contentType: contentType)
        contents = .file(path: path)
        self.filename = part.filename ?? path
        self.contentType = part.contentType ?? "application/octet-stream"
    }

    fileprivate func part(_ name: String) -> FormPart {
        switch contents {
        case .data(let data): .data(name, data, filename: filename, contentType: contentType)
        case .file(let path): .file(name, path: path, filename: filename, contentType: contentType)
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
            problem = problem ?? "the part \"\(name)\" cannot be encoded: \(error)"
        }
    }

    /// Adds a file; nil adds nothing.
    public mutating func append(_ name: String, _ file: FormFile?) {
        guard let file else { return }
        append(file.part(name))
    }

    /// Adds files, a part for each; nil adds nothing.
    public mutating func append(_ name: String, _ files: [FormFile]?) {
        for file in files ?? [] { append(name, file) }
    }

    private mutating func appendJSON(_ name: String, _ value: some Encodable, _ contentType: String?) throws {
        let bytes = try JSONCoding.standard.encode(value)
        append(.data(name, bytes, contentType: contentType ?? "application/json"))
    }
}
