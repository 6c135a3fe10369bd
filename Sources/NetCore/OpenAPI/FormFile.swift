#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A file in a multipart form.
public struct FormFile: Sendable, Hashable {
    /// The contents.
    public var data: Data
    /// The name sent with it. Default `file`.
    public var filename: String
    /// Its media type. Default `application/octet-stream`.
    public var contentType: String

    /// Takes the contents and what to say about them.
    public init(_ data: Data, filename: String = "file", contentType: String = "application/octet-stream") {
        self.data = data
        self.filename = filename
        self.contentType = contentType
    }
}

// What generated code appends: properties of any type.
extension MultipartForm {
    /// Adds a value as text, a list as one part for each element, an object as JSON; nil adds nothing.
    public mutating func append(_ name: String, _ value: (some Encodable)?, contentType: String? = nil) {
        guard let value else { return }
        do {
            if contentType.flatMap({ MediaType($0) })?.isJSON ?? false {
                return try appendJSON(name, value, contentType)
            }
            switch try ParameterValue(value) {
            case .null: break
            case .scalar(let text): append(.text(name, text, contentType: contentType))
            case .array(let elements):
                guard elements.allSatisfy({ if case .scalar = $0 { true } else { false } }) else {
                    return try appendJSON(name, value, contentType)
                }
                for element in elements { append(.text(name, element.text, contentType: contentType)) }
            case .object: try appendJSON(name, value, contentType)
            }
        } catch {
            problem = problem ?? "the part \"\(name)\" cannot be encoded: \(error)"
        }
    }

    /// Adds a file; nil adds nothing.
    public mutating func append(_ name: String, _ file: FormFile?) {
        guard let file else { return }
        append(.data(name, file.data, filename: file.filename, contentType: file.contentType))
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
