#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The path of a request, built from literal text and values.
///
/// What you write literally is the route; an interpolated value is one segment, or part of one, whatever it contains:
/// `/` becomes `%2F`. A segment `.` or `..` cannot be sent safely, because servers read `%2E%2E` as `..` too (RFC 3986
/// section 6.2.2.2), and an empty value would change the route: preparing such a request throws. Slashes that you write are
/// kept, one at the end and two in a row too: `a//b` is not `a/b` to every server, an object store among them.
///
/// Some servers, nginx among them, decode `%2F` before they resolve dots, and take `..%2Fadmin` for another route as well:
/// check the ids that others give you.
///
///     let path: Path = "users/\(42)/files/\("a/b c.txt")"
///     print(path.encoded)  // users/42/files/a%2Fb%20c.txt
public struct Path: Sendable, Hashable {
    /// The path, percent-encoded, without a leading slash.
    public internal(set) var encoded: String
    /// Where an empty value stood, as offsets into the bytes: an empty segment there is a mistake, not a route.
    var emptyValues: [Int] = []
    /// Why a value could not be written; nil where all could.
    var refusal: String?

    /// An empty path: the base URL's own, with the slash that it ends in.
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
        var text = literal[...]
        // What follows an empty value keeps its slash, so that the empty segment is found.
        if emptyValues.last != encoded.utf8.count, encoded.isEmpty || endsInSlash {
            while text.utf8.first == Self.slash { text = text[text.utf8.index(after: text.startIndex)...] }
        }
        // A literal is a route, not a URL: `?` and `#` would end the path.
        PercentEncoding.append(text, allowing: .path, to: &encoded)
    }

    static let slash = UInt8(ascii: "/")
    var endsInSlash: Bool { encoded.utf8.last == Self.slash }

    /// Appends a value to the current segment, escaped so that it stays in it.
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

    /// Appends text that is percent-encoded already: a parameter in one of the OpenAPI styles.
    public mutating func append(escaped text: String) {
        if text.isEmpty { emptyValues.append(encoded.utf8.count) }
        encoded += text
    }

    /// Stands for a value whose own encoding failed, so that it is not left out without a word.
    package mutating func refuse(_ reason: String) {
        refusal = refusal ?? reason
    }

    /// Why this path must not be sent; nil for a good one.
    package var problem: String? {
        if let refusal { return refusal }
        var text = encoded
        return text.withUTF8 { bytes in
            // Not the path itself: its values may be secrets.
            if let segment = Self.dotSegment(in: bytes) {
                return "\(Self.name(ofSegmentAt: segment.lowerBound, in: bytes)) holds "
                    + "\"\(String(decoding: bytes[segment], as: UTF8.self))\", which servers resolve to another route; check "
                    + "the value before you put it into a path"
            }
            for place in emptyValues
            where (place == 0 || bytes[place - 1] == Self.slash) && (place == bytes.count || bytes[place] == Self.slash)
            {
                return
                    "\(Self.name(ofSegmentAt: place, in: bytes)) is a value that is empty, so the request would go to "
                    + "another route"
            }
            return nil
        }
    }

    private static func name(ofSegmentAt place: Int, in bytes: UnsafeBufferPointer<UInt8>) -> String {
        let leading = bytes.first == slash ? 1 : 0
        return "segment \(bytes[..<place].count { $0 == slash } + 1 - leading) of the path"
    }

    /// Whether a path, which may be followed by a query, has a segment that is `.` or `..`, its dots escaped or not.
    static func hasDotSegment(_ target: String) -> Bool {
        var path = String(target.prefix { $0 != "?" })
        return path.withUTF8 { dotSegment(in: $0) } != nil
    }

    /// The first segment that is `.` or `..`, its dots escaped or not.
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
