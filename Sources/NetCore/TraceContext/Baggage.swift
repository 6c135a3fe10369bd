/// Application data that is sent along with a trace: the value of the `baggage` header (W3C Baggage).
///
/// Every server on the path can read it: don't put secrets in it.
///
///     var baggage = Baggage("userId=al%20ice;internal, region=eu")
///     print(baggage["userId"] ?? "")  // al ice
///     baggage["region"] = "us, west"
///     print(baggage)  // userId=al%20ice;internal,region=us%2C%20west
public struct Baggage: Sendable, Hashable {
    /// The maximum number of members that are read and sent; further ones are dropped.
    public static let maximumMembers = 64
    /// The maximum number of bytes that are read and sent; members that don't fit are dropped.
    public static let maximumBytes = 8192

    /// A key with its value and properties.
    public struct Member: Sendable, Hashable {
        /// The key, a token.
        public let key: String
        /// The value, percent-decoded.
        public var value: String
        /// The properties after the value, unparsed: `internal`, `ttl=5`.
        public var properties: [String]

        fileprivate var text: String {
            ([key + "=" + PercentEncoding.encode(value)] + properties).joined(separator: ";")
        }
    }

    /// The members in order, with unique keys.
    public private(set) var members: [Member] = []

    /// Creates baggage without members.
    public init() {}

    /// Parses a header value. Malformed members are skipped; if a key occurs twice, the last value counts.
    public init(_ text: String) { self.init(lines: [text]) }

    /// Parses a header with several lines, in order.
    public init(lines: [String]) {
        var room = Self.maximumBytes
        for line in lines {
            for text in line.split(separator: ",") {
                room -= text.utf8.count + 1
                guard room >= -1, let member = Self.member(text) else { continue }
                set(member)
            }
        }
    }

    /// The value of a key. Setting nil removes it; a key that isn't a token is ignored.
    public subscript(key: String) -> String? {
        get { members.first { $0.key == key }?.value }
        set {
            guard let newValue else { return members.removeAll { $0.key == key } }
            guard FieldValueReader.isToken(key) else { return }
            set(Member(key: key, value: newValue, properties: []))
        }
    }

    private mutating func set(_ member: Member) {
        if let place = members.firstIndex(where: { $0.key == member.key }) {
            members[place] = member
        } else if members.count < Self.maximumMembers {
            members.append(member)
        }
    }

    private static func member(_ text: Substring) -> Member? {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
        guard let sign = parts[0].firstIndex(of: "=") else { return nil }
        let key = trimmed(parts[0][..<sign])
        let value = trimmed(parts[0][parts[0].index(after: sign)...])
        let properties = parts.dropFirst().filter { !$0.isEmpty }
        guard FieldValueReader.isToken(String(key)), value.utf8.allSatisfy(isOctet),
            properties.allSatisfy({ $0.utf8.allSatisfy { isOctet($0) || $0 == 32 || $0 == 9 } })
        else { return nil }
        return Member(key: String(key), value: decoded(value), properties: properties.map(String.init))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.utf8
        while let byte = text.first, byte == 32 || byte == 9 { text.removeFirst() }
        while let byte = text.last, byte == 32 || byte == 9 { text.removeLast() }
        return Substring(text)
    }

    /// Returns true for printable ASCII except spaces, quotation marks, commas, semicolons and backslashes.
    private static func isOctet(_ byte: UInt8) -> Bool {
        (33...126).contains(byte) && !"\",;\\".utf8.contains(byte)
    }

    /// Decodes percent-encoding. A `%` that doesn't begin an escape is kept, and bytes that aren't UTF-8 become U+FFFD,
    /// as the recommendation requires.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy({ Character(.init($0)).isHexDigit }),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Baggage: CustomStringConvertible {
    /// The header value, limited to ``maximumBytes``; empty without members, in which case the header is omitted.
    public var description: String {
        var text = ""
        for member in members.map(\.text) where text.utf8.count + 1 + member.utf8.count <= Self.maximumBytes {
            text += text.isEmpty ? member : "," + member
        }
        return text
    }
}
