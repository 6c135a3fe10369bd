/// A media type with its parameters, as `Content-Type` holds it (RFC 9110 section 8.3).
///
/// Type, subtype and parameter names are lower-cased, because they are compared without regard to case; values are kept.
///
///     let type = MediaType("Text/HTML; Charset=\"utf-8\"")
///     print(type?.essence ?? "", type?["charset"] ?? "")  // text/html utf-8
public struct MediaType: Sendable, Hashable {
    /// One parameter.
    public struct Parameter: Sendable, Hashable {
        /// The name, lower-cased.
        public let name: String
        /// The value, without quotes.
        public let value: String
    }

    /// The type: `text`.
    public let type: String
    /// The subtype: `html`.
    public let subtype: String
    /// The parameters in their order, each name once.
    public let parameters: [Parameter]

    /// Reads a field value; nil where it is no media type. Of a repeated parameter the first counts.
    public init?(_ text: String) {
        var reader = FieldValueReader(text)
        guard let type = reader.token(), reader.skip("/"), let subtype = reader.token() else { return nil }
        guard let parameters = reader.parameters(), reader.isAtEnd else { return nil }
        self.type = type.lowercased()
        self.subtype = subtype.lowercased()
        self.parameters = parameters
    }

    /// Type and subtype, `text/html`, without parameters.
    public var essence: String { "\(type)/\(subtype)" }

    /// The value of a parameter, its name compared without regard to case; nil where it is not there.
    public subscript(parameter: String) -> String? {
        let name = parameter.lowercased()
        return parameters.first { $0.name == name }?.value
    }

    /// The same type with a parameter set; nil for a name that is no token or a value with a control character.
    public func with(_ name: String, _ value: String) -> MediaType? {
        guard FieldValueReader.isToken(name), FieldValueReader.canQuote(value) else { return nil }
        let kept = parameters.filter { $0.name != name.lowercased() }
        return MediaType(type, subtype, kept + [Parameter(name: name.lowercased(), value: value)])
    }

    /// Whether the body is JSON: `application/json`, or a subtype that ends in `+json`.
    public var isJSON: Bool { essence == "application/json" || essence == "text/json" || subtype.hasSuffix("+json") }

    init(_ type: String, _ subtype: String, _ parameters: [Parameter] = []) {
        self.type = type
        self.subtype = subtype
        self.parameters = parameters
    }
}

extension MediaType {
    /// `application/json`.
    public static let json = MediaType("application", "json")
    /// `text/plain`.
    public static let plainText = MediaType("text", "plain")
    /// `application/octet-stream`: bytes of which nothing is known.
    public static let octetStream = MediaType("application", "octet-stream")
}

extension MediaType: CustomStringConvertible {
    /// The field value; parameter values that are no token are quoted.
    public var description: String {
        parameters.reduce(into: essence) { $0 += "; \($1.name)=\(FieldValueReader.quoted($1.value))" }
    }
}
