public import HTTPTypes

/// What `Content-Disposition` says of a body or part (RFC 6266, RFC 7578 section 4.2).
///
///     let disposition = ContentDisposition("form-data; name=\"photo\"; filename=\"cat.png\"")
///     print(disposition?.name ?? "", disposition?.filename ?? "")  // photo cat.png
public struct ContentDisposition: Sendable, Hashable {
    /// The kind: `form-data`, `attachment`; lower-cased.
    public let kind: String
    /// The name of a form's field; nil where there is none. Escapes of the WHATWG, such as `%22`, are left as they are.
    public let name: String?
    /// The file name; nil where there is none. It may be a path: never open it as it is.
    public let filename: String?

    /// Reads a field value; nil where it is malformed.
    public init?(_ text: String) {
        var reader = FieldValueReader(text)
        // Browsers escape no backslash, so only one before a quotation mark escapes.
        guard let kind = reader.token(), let parameters = reader.parameters(keepingBackslashes: true), reader.isAtEnd
        else { return nil }
        self.kind = kind.lowercased()
        name = parameters.first { $0.name == "name" }?.value
        filename = parameters.first { $0.name == "filename" }?.value
    }
}

extension HTTPFields {
    /// `Content-Disposition`; nil where it is absent or malformed.
    public var disposition: ContentDisposition? { self[.contentDisposition].flatMap { ContentDisposition($0) } }
}
