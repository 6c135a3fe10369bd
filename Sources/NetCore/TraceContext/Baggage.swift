/// What an application sends along with a trace: the value of the field `baggage` (W3C Baggage).
///
/// Every server on the way sees it: put no secret into it.
///
///     var baggage = Baggage("userId=al%20ice;internal, region=eu")
///     print(baggage["userId"] ?? "")  // al ice
///     baggage["region"] = "us, west"
///     print(baggage)  // userId=al%20ice;internal,region=us%2C%20west
public struct Baggage: Sendable, Hashable {
    /// The most members that are read and sent; further ones are dropped.
    public static let maximumMembers = 64
    /// The most bytes that are read and sent; members that do not fit are dropped.
    public static let maximumBytes = 8192

    /// A key with its value and what is said of it.
    public struct Member: Sendable, Hashable {
        /// The key, a token.
        public let key: String
        /// The value, percent-decoded.
        public var value: String
        /// What stands behind the value, as it came: `internal`, `ttl=5`.
        public var properties: [String]

        fileprivate var text: String {
            ([key + "=" + PercentEncoding.encode(value)] + properties).joined(separator: ";")
        }
    }

    /// The members in their order, each key once.
    public private(set) var members: [Member] = []

    /// Nothing.
    public init() {}

    /// Reads a field value; members that are malformed are passed over, and of a key that comes twice the last value counts.
    public init(_ text: String) { self.init(lines: [text]) }

    /// Reads a field of several lines, in their order.
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

    /// The value of a key; nil removes it. A key that is no token is not taken.
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

    /// Printable ASCII but blanks, quotation marks, commas, semicolons and backslashes.
    private static func isOctet(_ byte: UInt8) -> Bool {
        (33...126).contains(byte) && !"\",;\\".utf8.contains(byte)
    }

    /// A `%` that begins no escape stands for itself; what is no UTF-8 becomes U+FFFD, as the recommendation asks.
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
    /// The field value, cut to ``maximumBytes``; empty for no members, whose field is left out.
    public var description: String {
        var text = ""
        for member in members.map(\.text) where text.utf8.count + 1 + member.utf8.count <= Self.maximumBytes {
            text += text.isEmpty ? member : "," + member
        }
        return text
    }
}
