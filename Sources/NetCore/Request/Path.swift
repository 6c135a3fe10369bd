/// The path of a request, built from literal text and values.
///
/// What you write literally is the route; an interpolated value is one segment, or part of one, whatever it contains:
/// `/` becomes `%2F`. A segment `.` or `..` cannot be sent safely, because servers read `%2E%2E` as `..` too (RFC 3986
/// section 6.2.2.2), and an empty value would change the route: preparing such a request throws. A trailing slash is kept.
///
///     let path: Path = "users/\(42)/files/\("a/b c.txt")"
///     print(path.encoded)  // users/42/files/a%2Fb%20c.txt
public struct Path: Sendable, Hashable {
    /// The path, percent-encoded, without a leading slash.
    public private(set) var encoded: String
    /// Whether some value was empty: then an empty segment is a mistake, not a route.
    private var hasEmptyValue = false

    /// An empty path: the base URL's own.
    public init() {
        encoded = ""
    }

    /// A literal route: segments are separated by `/`, characters that a path cannot hold are escaped.
    public init(_ literal: some StringProtocol) {
        self.init()
        append(literal: literal)
    }

    /// Appends literal route text.
    public mutating func append(literal: some StringProtocol) {
        var text = Substring(PercentEncoding.encode(literal, allowing: .reserved))
        if encoded.isEmpty || encoded.hasSuffix("/") {
            while text.hasPrefix("/") { text.removeFirst() }
        }
        // A literal is a route, not a URL: `?` and `#` would end the path.
        for character in text {
            switch character {
            case "?": encoded += "%3F"
            case "#": encoded += "%23"
            case "[": encoded += "%5B"
            case "]": encoded += "%5D"
            default: encoded.append(character)
            }
        }
    }

    /// Appends a value to the current segment, escaped so that it stays in it.
    public mutating func append(value: some CustomStringConvertible) {
        append(escaped: PercentEncoding.encode(value.description, allowing: .unreserved))
    }

    /// Appends a string value, with raw-value enumerations in mind, to the current segment.
    public mutating func append<Value: RawRepresentable>(value: Value) where Value.RawValue: CustomStringConvertible {
        append(value: value.rawValue)
    }

    /// Appends text that is percent-encoded already: a parameter in one of the OpenAPI styles.
    public mutating func append(escaped text: String) {
        encoded += text
        if text.isEmpty { hasEmptyValue = true }
    }

    /// Why this path must not be sent; nil for a good one.
    package var problem: String? {
        for segment in encoded.split(separator: "/", omittingEmptySubsequences: false) {
            if segment == "." || segment == ".." {
                return "the path \"\(encoded)\" has a segment \"\(segment)\", which servers resolve to another route; "
                    + "check the value before you put it into a path"
            }
            if segment.isEmpty, hasEmptyValue {
                return "a value in the path \"\(encoded)\" is empty, so the request would go to another route"
            }
        }
        return nil
    }

    /// Appends a text as one segment.
    public static func / (path: Path, segment: String) -> Path {
        var path = path
        if !path.encoded.isEmpty, !path.encoded.hasSuffix("/") { path.encoded += "/" }
        path.append(value: segment)
        return path
    }

    /// Appends a value as one segment.
    public static func / (path: Path, value: some LosslessStringConvertible) -> Path {
        path / value.description
    }
}

extension Path: ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// Collects the literal and the interpolated parts.
    public struct StringInterpolation: StringInterpolationProtocol {
        var path = Path()

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            path.append(literal: literal)
        }

        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            path.append(value: value)
        }

        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
        where Value.RawValue: CustomStringConvertible {
            path.append(value: value)
        }
    }

    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.path
    }
}
