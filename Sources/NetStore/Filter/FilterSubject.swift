/// A kind of stored text, and its comparison with a pattern. ``FilterEvaluation`` uses it directly, and SQL through
/// functions (``SQLiteConnection/addFilterFunctions()``).
enum FilterSubject: Int, CaseIterable {
    /// The unchanged text.
    case text = 1
    /// A host, without its port unless the pattern has a colon.
    case host
    /// Lines, one of which must match.
    case lines
    /// A JSON array of texts, one of which must match.
    case tags
    /// Bytes, compressed or not.
    case body

    /// The name of the SQL function. Its arguments are a text and a pattern; for a body, the bytes, whether they're
    /// compressed, and a pattern. The result is 0 for NULL.
    var function: String {
        switch self {
        case .text: "net_matches"
        case .host: "net_matches_host"
        case .lines: "net_matches_line"
        case .tags: "net_matches_tag"
        case .body: "net_matches_body"
        }
    }

    func matches(_ text: String?, _ pattern: FilterPattern) -> Bool {
        guard var text else { return false }
        return text.withUTF8 { matches(UnsafeRawBufferPointer($0), pattern) }
    }

    func matches(_ bytes: UnsafeRawBufferPointer, _ pattern: FilterPattern) -> Bool {
        switch self {
        case .text, .body: pattern.matches(bytes)
        case .host: pattern.matches(pattern.hasColon ? bytes : Self.withoutPort(bytes))
        case .lines: Self.hasLine(bytes) { pattern.matches($0) }
        case .tags:
            // Most of the shared texts in the same table aren't JSON.
            bytes.first == UInt8(ascii: "[")
                && StoredTags.tags(from: String(decoding: bytes, as: UTF8.self)).contains { pattern.matches($0) }
        }
    }

    /// Returns the host of `host:port`, or all of the text if it has no port.
    private static func withoutPort(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let digits = bytes.reversed().prefix { (48...57).contains($0) }.count
        let colon = bytes.count - digits - 1
        guard colon > 0, bytes[colon] == UInt8(ascii: ":") else { return bytes }
        // An IPv6 address without brackets contains colons too.
        let host = UnsafeRawBufferPointer(rebasing: bytes[..<colon])
        return host.last == UInt8(ascii: "]") || !host.contains(UInt8(ascii: ":")) ? host : bytes
    }

    private static func hasLine(
        _ bytes: UnsafeRawBufferPointer, where condition: (UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        bytes.split(separator: 10).contains { condition(UnsafeRawBufferPointer(rebasing: $0)) }
    }
}
