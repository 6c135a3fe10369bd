#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import NetCore

/// The public keys that each host may have.
struct PinnedKeys: Sendable {
    private let table: HostTable<Set<String>>

    /// Takes the pins of a ``TLSConfiguration``, with `sha256/` or `sha256//` in front or without.
    init(_ pins: [String: [String]]) {
        table = HostTable(pins.map { (pattern: $0.key, value: Set($0.value.map(Self.hash))) })
    }

    /// The hashes for a host in base64, one of which must be in its chain; nil where any key will do.
    func hashes(for host: String) -> Set<String>? {
        table.isEmpty ? nil : table.value(for: Authority(host).name)
    }

    private static func hash(_ pin: String) -> String { String(TLSConfiguration.hash(ofPin: pin)) }
}
#endif
