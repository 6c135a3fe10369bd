#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An alternative service for an origin, as announced by the origin (RFC 7838).
///
///     print(AlternativeService(protocolName: "h2", host: "alt.example", port: 443, expires: .distantFuture))
///     // h2="alt.example:443"
public struct AlternativeService: Sendable, Hashable {
    /// The ALPN name of its protocol: `h2`, `h3`, `http/1.1`.
    public var protocolName: String
    /// The host in lowercase; an IPv6 address in brackets.
    public var host: String
    /// The port.
    public var port: Int
    /// The date after which it's no longer used.
    public var expires: Date
    /// True if it remains valid after a network change (`persist=1`).
    public var isPersistent: Bool
    /// The date until which it isn't used, because it has failed; nil if there are no known failures.
    public package(set) var brokenUntil: Date?
    /// The number of consecutive failures.
    package var failures = 0

    /// Creates an alternative service.
    public init(protocolName: String, host: String, port: Int, expires: Date, isPersistent: Bool = false) {
        self.protocolName = protocolName
        self.host = host.lowercased()
        self.port = port
        self.expires = expires
        self.isPersistent = isPersistent
    }

    /// Host and port, as in a URL.
    package var authority: String { "\(host):\(port)" }

    package func isSamePlace(as other: AlternativeService) -> Bool {
        port == other.port && host == other.host && protocolName == other.protocolName
    }

    package func isUsable(at now: Date) -> Bool { expires > now && brokenUntil.map { $0 <= now } ?? true }

    /// True if a connection is possible at all: values from a file or from user code may be invalid.
    package var isValid: Bool { !protocolName.isEmpty && Self.isHost(host) && (1...65_535).contains(port) }

    /// Returns true if a text is an ASCII host name or an IPv6 address in brackets.
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
