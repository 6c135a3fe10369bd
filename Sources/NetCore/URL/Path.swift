#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The path of a request, built from literal text and values.
///
/// Literal text is the route; an interpolated value is one segment or part of one, whatever it contains: `/` becomes
/// `%2F`. Preparing a request throws for a segment `.` or `..`, which can't be sent safely since servers read `%2E%2E`
/// as `..` too (RFC 3986 section 6.2.2.2), and for an empty value, which would change the route. Slashes in literal
/// text are kept, including one at the end and two in a row: to some servers, such as object stores, `a//b` isn't
/// `a/b`.
///
/// Some servers, such as nginx, decode `%2F` before they resolve dots, and also take `..%2Fadmin` for another route:
/// validate identifiers that you receive from others.
///
///     let path: Path = "users/\(42)/files/\("a/b c.txt")"
///     print(path.encoded)  // users/42/files/a%2Fb%20c.txt
public struct Path: Sendable, Hashable {
    /// The path, percent-encoded, without a leading slash.
    public internal(set) var encoded: String
    /// The byte offsets of empty values. An empty segment at such an offset is a mistake, not part of the route.
    var emptyValues: [Int] = []
    /// The reason why a value couldn't be encoded; nil if all values could be.
    var refusal: String?
    /// The part of a URL that the literal text contains, where only a route is allowed; nil if there is none.
    var mistake: URLMistake?

    /// Creates an empty path, which uses the path of the base URL, including its trailing slash.
    public init() {
        encoded = ""
    }

    /// Creates a path from literal text. `/` separates segments, and characters that a path can't contain are escaped.
    ///
    /// Preparing a request throws if the text has a `?` or is a whole URL, since neither is a route.
    public init(_ literal: some StringProtocol) {
        self.init()
        mistake = Self.mistake(in: literal, isFirst: true)
        append(literal: literal)
    }

    /// Appends literal route text. Characters that a path can't contain are escaped.
    public mutating func append(literal: some StringProtocol) {
        var text = literal[...]
        // The slash after an empty value is kept, so that the empty segment is detected.
        if emptyValues.last != encoded.utf8.count, encoded.isEmpty || endsInSlash {
            while text.utf8.first == Self.slash { text = text[text.utf8.index(after: text.startIndex)...] }
        }
        // Literal text is a route, not a URL: `?` and `#` are escaped, since they would end the path.
        PercentEncoding.append(text, allowing: .path, to: &encoded)
    }

    static let slash = UInt8(ascii: "/")
    var endsInSlash: Bool { encoded.utf8.last == Self.slash }

    /// Appends a value to the current segment, escaped so that it can't start another one.
    public mutating func append(value: some CustomStringConvertible) {
        let text = value.description
        if text.isEmpty { emptyValues.append(encoded.utf8.count) }
        PercentEncoding.append(text, allowing: .unreserved, to: &encoded)
    }

    /// Appends the raw value of an enumeration or of another raw-value type to the current segment.
    public mutating func append<Value: RawRepresentable>(value: Value) where Value.RawValue: CustomStringConvertible {
        append(value: value.rawValue)
    }

    /// Appends the raw value, not the description, of a type that has both.
    public mutating func append<Value: RawRepresentable & CustomStringConvertible>(value: Value)
    where Value.RawValue: CustomStringConvertible {
        append(value: value.rawValue)
    }

    /// Appends text that is already percent-encoded, such as a parameter in one of the OpenAPI styles.
    public mutating func append(escaped text: String) {
        if text.isEmpty { emptyValues.append(encoded.utf8.count) }
        encoded += text
    }

    /// Records that a value couldn't be encoded, so that preparing the request throws instead of omitting the value.
    package mutating func refuse(_ reason: String) {
        refusal = refusal ?? reason
    }

    /// The reason why this path must not be sent; nil for a valid one.
    package var problem: String? {
        if let refusal { return refusal }
        if let mistake { return mistake.message }
        var text = encoded
        return text.withUTF8 { bytes in
            // The message omits the path itself, since its values may be secrets.
            if let segment = Self.dotSegment(in: bytes) {
                return "\(Self.name(ofSegmentAt: segment.lowerBound, in: bytes)) holds "
                    + "\"\(String(decoding: bytes[segment], as: UTF8.self))\", which servers resolve to another route; check "
                    + "the value before putting it into a path"
            }
            for place in emptyValues
            where (place == 0 || bytes[place - 1] == Self.slash) && (place == bytes.count || bytes[place] == Self.slash)
            {
                return
                    "\(Self.name(ofSegmentAt: place, in: bytes)) is an empty value, so the request would go to "
                    + "another route"
            }
            return nil
        }
    }

    private static func name(ofSegmentAt place: Int, in bytes: UnsafeBufferPointer<UInt8>) -> String {
        let leading = place > 0 && bytes.first == slash ? 1 : 0
        return "segment \(bytes[..<place].count { $0 == slash } + 1 - leading) of the path"
    }

    /// Returns true if a path, which may be followed by a query, has a segment `.` or `..`, with or without escaped
    /// dots.
    static func hasDotSegment(_ target: String) -> Bool {
        var path = String(target.prefix { $0 != "?" })
        return path.withUTF8 { dotSegment(in: $0) } != nil
    }

    /// Returns the first segment that is `.` or `..`, with or without escaped dots.
    private static func dotSegment(in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        var start = 0
        while start <= bytes.count {
            var (end, dots, hasOther) = (start, 0, false)
            while end < bytes.count, bytes[end] != slash {
                if bytes[end] == UInt8(ascii: ".") {
                    dots += 1
                } else if bytes[end] == UInt8(ascii: "%"), end + 2 < bytes.count, bytes[end + 1] == UInt8(ascii: "2"),
                    bytes[end + 2] | 0x20 == UInt8(ascii: "e")
                {
                    dots += 1
                    end += 2
                } else {
                    hasOther = true
                }
                end += 1
            }
            if !hasOther, dots == 1 || dots == 2 { return start..<end }
            start = end + 1
        }
        return nil
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
            path.mistake = path.mistake ?? Path.mistake(in: literal, isFirst: path.isVoid)
            path.append(literal: literal)
        }

        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            path.append(value: value)
        }

        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
        where Value.RawValue: CustomStringConvertible {
            path.append(value: value)
        }

        public mutating func appendInterpolation<Value: RawRepresentable & CustomStringConvertible>(_ value: Value)
        where Value.RawValue: CustomStringConvertible {
            path.append(value: value)
        }

        @available(*, unavailable, message: "join the elements to one text, or append one segment for each with /")
        public mutating func appendInterpolation<Element>(_ values: [Element]) {}

        @available(*, unavailable, message: "write the date in the form that the server reads")
        public mutating func appendInterpolation(_ date: Date) {}
    }

    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.path
    }
}
