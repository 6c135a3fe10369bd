/// Data of tracing systems that is sent along with a trace: the value of the `tracestate` header (W3C Trace Context),
/// newest entry first.
///
///     var state = TraceState("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE") ?? TraceState()
///     state["congo"] = "next"
///     print(state)  // congo=next,rojo=00f067aa0ba902b7
public struct TraceState: Sendable, Hashable {
    /// The maximum number of entries. A header with more is malformed; setting more drops the oldest.
    public static let maximumEntries = 32
    /// The maximum number of bytes that are sent. Entries above 128 bytes are dropped first, then the oldest.
    public static let maximumBytes = 512

    /// The key of a tracing system with its value.
    public struct Entry: Sendable, Hashable {
        /// The key: `rojo`, `tenant@system`.
        public let key: String
        /// The value.
        public let value: String

        fileprivate var text: String { "\(key)=\(value)" }
    }

    /// The entries, newest first.
    public private(set) var entries: [Entry] = []

    /// Creates a state without entries.
    public init() {}

    /// Parses a header value; nil if it's malformed, in which case all of it is dropped and the trace continues without
    /// it.
    public init?(_ text: String) { self.init(lines: [text]) }

    /// Parses a header with several lines, in order.
    public init?(lines: [String]) {
        for line in lines {
            for member in line.utf8.split(separator: UInt8(ascii: ",")) {
                let member = Self.trimmed(member)
                if member.isEmpty { continue }
                guard let sign = member.firstIndex(of: UInt8(ascii: "=")),
                    entries.count < Self.maximumEntries
                else { return nil }
                let key = String(decoding: member[..<sign], as: UTF8.self)
                let value = String(decoding: member[member.index(after: sign)...], as: UTF8.self)
                guard Self.isKey(key), Self.isValue(value), !entries.contains(where: { $0.key == key }) else {
                    return nil
                }
                entries.append(Entry(key: key, value: value))
            }
        }
    }

    /// The value of a key. Setting a value moves its entry to the front, as required of anyone who changes an entry;
    /// setting nil removes the entry. A key or value that the header can't contain is ignored.
    public subscript(key: String) -> String? {
        get { entries.first { $0.key == key }?.value }
        set {
            guard let newValue else { return entries.removeAll { $0.key == key } }
            guard Self.isKey(key), Self.isValue(newValue) else { return }
            entries.removeAll { $0.key == key }
            entries.insert(Entry(key: key, value: newValue), at: 0)
            if entries.count > Self.maximumEntries { entries.removeLast() }
        }
    }

    /// The header value, limited to ``maximumBytes``; empty without entries, in which case the header is omitted.
    package var fieldValue: String {
        var kept = entries
        func length() -> Int { kept.reduce(kept.count - 1) { $0 + $1.text.utf8.count } }
        while length() > Self.maximumBytes, let long = kept.lastIndex(where: { $0.text.utf8.count > 128 }) {
            kept.remove(at: long)
        }
        while length() > Self.maximumBytes { kept.removeLast() }
        return kept.map(\.text).joined(separator: ",")
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var text = text
        while let byte = text.first, byte == 32 || byte == 9 { text.removeFirst() }
        while let byte = text.last, byte == 32 || byte == 9 { text.removeLast() }
        return text
    }

    /// Returns true for a valid key (level 2): 1 to 256 lowercase letters, digits and `_-*/@`, starting with a letter
    /// or digit.
    private static func isKey(_ key: String) -> Bool {
        guard (1...256).contains(key.utf8.count), let first = key.utf8.first else { return false }
        func isPlain(_ byte: UInt8) -> Bool { (97...122).contains(byte) || (48...57).contains(byte) }
        return isPlain(first) && key.utf8.filter { $0 == UInt8(ascii: "@") }.count <= 1
            && key.utf8.allSatisfy { isPlain($0) || "_-*/@".utf8.contains($0) }
    }

    /// Returns true for up to 256 printable characters except comma and `=`, without a trailing space.
    private static func isValue(_ value: String) -> Bool {
        value.utf8.count <= 256 && value.utf8.last != 32
            && value.utf8.allSatisfy { (32...126).contains($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=") }
    }
}

extension TraceState: CustomStringConvertible {
    /// All entries, as in a header.
    public var description: String { entries.map(\.text).joined(separator: ",") }
}
