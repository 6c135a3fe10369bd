#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import NetCore

/// The pinned public keys of each host.
struct PinnedKeys: Sendable {
    private let table: HostTable<Set<String>>

    /// Creates the table from the pins of a ``TLSConfiguration``, with or without a `sha256/` or `sha256//` prefix.
    init(_ pins: [String: [String]]) {
        table = HostTable(pins.map { (pattern: $0.key, value: Set($0.value.map(Self.hash))) })
    }

    /// The hashes for a host in base64, one of which must be in its chain; nil if any key is accepted.
    func hashes(for host: String) -> Set<String>? {
        table.isEmpty ? nil : table.value(for: Authority(host).name)
    }

    private static func hash(_ pin: String) -> String { String(TLSConfiguration.hash(ofPin: pin)) }
}
#endif
