/// A media type with its parameters, as in `Content-Type` (RFC 9110 section 8.3).
///
/// The type, the subtype and parameter names are lowercased, because they're case-insensitive; values are kept.
///
///     let type = MediaType("Text/HTML; Charset=\"utf-8\"")
///     print(type?.essence ?? "", type?["charset"] ?? "")  // text/html utf-8
public struct MediaType: Sendable, Hashable {
    /// A parameter of a media type.
    public struct Parameter: Sendable, Hashable {
        /// The name in lowercase.
        public let name: String
        /// The value, without quotes.
        public let value: String
    }

    /// The type, such as `text`.
    public let type: String
    /// The subtype, such as `html`.
    public let subtype: String
    /// The parameters in order, each name once.
    public let parameters: [Parameter]

    /// Parses a field value; nil if it isn't a media type. Of repeated parameters, the first one counts.
    public init?(_ text: String) {
        var reader = FieldValueReader(text)
        guard let type = reader.token(), reader.skip("/"), let subtype = reader.token() else { return nil }
        guard let parameters = reader.parameters(), reader.isAtEnd else { return nil }
        self.type = type.lowercased()
        self.subtype = subtype.lowercased()
        self.parameters = parameters
    }

    /// The type and the subtype, such as `text/html`, without parameters.
    public var essence: String { "\(type)/\(subtype)" }

    /// The value of a parameter, ignoring the case of its name; nil if it's absent.
    public subscript(parameter: String) -> String? {
        let name = parameter.lowercased()
        return parameters.first { $0.name == name }?.value
    }

    /// Returns the type with a parameter set; nil if the name isn't a token or the value contains a control character.
    public func with(_ name: String, _ value: String) -> MediaType? {
        guard FieldValueReader.isToken(name), FieldValueReader.canQuote(value) else { return nil }
        let kept = parameters.filter { $0.name != name.lowercased() }
        return MediaType(type, subtype, kept + [Parameter(name: name.lowercased(), value: value)])
    }

    /// True if the type is JSON: `application/json`, `text/json`, or a subtype that ends in `+json`.
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
    /// `application/octet-stream`: bytes of an unknown type.
    public static let octetStream = MediaType("application", "octet-stream")
}

extension MediaType: CustomStringConvertible {
    /// The field value; parameter values that aren't tokens are quoted.
    public var description: String {
        parameters.reduce(into: essence) { $0 += "; \($1.name)=\(FieldValueReader.quoted($1.value))" }
    }
}
