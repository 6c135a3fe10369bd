#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Another place that answers for an origin, as the origin said (RFC 7838).
///
///     print(AlternativeService(protocolName: "h2", host: "alt.example", port: 443, expires: .distantFuture))
///     // h2="alt.example:443"
public struct AlternativeService: Sendable, Hashable {
    /// What is spoken there, by its name in ALPN: `h2`, `h3`, `http/1.1`.
    public var protocolName: String
    /// The host, lower-cased; an IPv6 address in brackets.
    public var host: String
    /// The port.
    public var port: Int
    /// When it is forgotten.
    public var expires: Date
    /// Whether it outlives a change of the network (`persist=1`).
    public var isPersistent: Bool
    /// Until when it is left alone because it did not do; nil for one that nothing is known against.
    public package(set) var brokenUntil: Date?
    /// How often in a row it did not do.
    package var failures = 0

    /// Puts the parts together.
    public init(protocolName: String, host: String, port: Int, expires: Date, isPersistent: Bool = false) {
        self.protocolName = protocolName
        self.host = host.lowercased()
        self.port = port
        self.expires = expires
        self.isPersistent = isPersistent
    }

    /// Host and port as a URL has them.
    package var authority: String { "\(host):\(port)" }

    package func isSamePlace(as other: AlternativeService) -> Bool {
        port == other.port && host == other.host && protocolName == other.protocolName
    }

    package func isUsable(at now: Date) -> Bool { expires > now && brokenUntil.map { $0 <= now } ?? true }

    /// Whether a connection can be made there at all: what comes from a file or from hand may be anything.
    package var isValid: Bool { !protocolName.isEmpty && Self.isHost(host) && (1...65_535).contains(port) }

    /// Whether a text is a host in ASCII, or an IPv6 address in brackets.
    package static func isHost(_ text: String) -> Bool {
        if text.hasPrefix("[") { return !text.contains("%") && HostAndPort(text).map { $0.port == nil } ?? false }
        return !text.isEmpty && text.utf8.count <= 253
            && text.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (97...122).contains(byte | 0x20) || "-._".utf8.contains(byte)
            }
    }
}

extension AlternativeService: CustomStringConvertible {
    /// Protocol, host and port.
    public var description: String { "\(protocolName)=\"\(authority)\"" }
}
