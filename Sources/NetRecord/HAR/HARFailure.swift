package import NetCore

/// The reasons for which browsers say that a call has no response, as codes of this package.
///
/// | code | Chromium (`net::`) | Firefox |
/// |---|---|---|
/// | `dns` | `ERR_NAME_…`, `ERR_DNS_…` | `NS_ERROR_UNKNOWN_HOST` |
/// | `connect` | `ERR_CONNECTION_REFUSED`, `ERR_ADDRESS_…`, `ERR_PROXY_…`, `ERR_TUNNEL_…` | `…_REFUSED` |
/// | `tls` | `ERR_CERT_…`, `ERR_SSL_…` | `SEC_ERROR_…`, `SSL_ERROR_…`, `MOZILLA_PKIX_…` |
/// | `timeout` | `ERR_…TIMED_OUT` | `NS_ERROR_NET_TIMEOUT…` |
/// | `cancelled` | `ERR_ABORTED` | `NS_BINDING_ABORTED` |
/// | `blocked` | `ERR_BLOCKED_BY_…` | `NS_ERROR_…BLOCKED…` |
/// | `offline` | `ERR_INTERNET_DISCONNECTED`, `ERR_NETWORK_CHANGED` | `NS_ERROR_OFFLINE` |
/// | `connectionLost` | any other | any other |
///
/// A file that has no reason has the code `unrecorded`.
package enum HARFailure {
    /// Calls that the browser, or an extension, didn't allow.
    static let blocked = "blocked"
    /// Calls of a machine without a network.
    static let offline = "offline"
    /// Calls of which the file doesn't contain why they have no response.
    package static let unrecorded = "unrecorded"

    private static let prefixes: [(String, String)] = [
        ("ERR_NAME_", "dns"), ("ERR_DNS_", "dns"), ("NS_ERROR_UNKNOWN_", "dns"),
        ("ERR_CERT_", "tls"), ("ERR_SSL_", "tls"), ("ERR_BAD_SSL_", "tls"), ("SEC_ERROR_", "tls"),
        ("SSL_ERROR_", "tls"), ("MOZILLA_PKIX_", "tls"), ("NS_ERROR_NET_INADEQUATE_SECURITY", "tls"),
        ("ERR_ABORTED", "cancelled"), ("NS_BINDING_ABORTED", "cancelled"), ("NS_ERROR_ABORT", "cancelled"),
        ("ERR_BLOCKED_", blocked), ("ERR_UNSAFE_PORT", blocked), ("ERR_DISALLOWED_", blocked),
        ("ERR_INTERNET_DISCONNECTED", offline), ("ERR_NETWORK_", offline), ("NS_ERROR_OFFLINE", offline),
        ("ERR_CONNECTION_REFUSED", "connect"), ("ERR_CONNECTION_FAILED", "connect"), ("ERR_ADDRESS_", "connect"),
        ("ERR_PROXY_", "connect"), ("ERR_TUNNEL_", "connect"), ("ERR_SOCKS_", "connect"),
    ]

    /// Returns the code of a browser's word, such as `net::ERR_NAME_NOT_RESOLVED`; nil for other text.
    static func code(of text: String) -> String? {
        let word = text.hasPrefix("net::") ? text.dropFirst(5) : text[...]
        let isWord = word.utf8.allSatisfy {
            $0 == UInt8(ascii: "_") || (0x41...0x5a).contains($0) || (0x30...0x39).contains($0)
        }
        guard isWord, ["ERR_", "NS_", "SEC_", "SSL_", "MOZILLA_"].contains(where: { word.hasPrefix($0) }) else {
            return nil
        }
        if let known = prefixes.first(where: { word.hasPrefix($0.0) }) { return known.1 }
        if word.contains("TIMED_OUT") || word.contains("TIMEOUT") { return "timeout" }
        if word.contains("REFUSED") { return "connect" }
        if word.contains("BLOCKED") { return blocked }
        return NetError.Code.connectionLost.rawValue
    }

    /// Returns the phase in which a call without a response failed; nil if the file doesn't contain it.
    package static func phase(_ failure: CapturedExchange.Failure) -> NetError.Phase? {
        switch failure.code {
        case "dns": .resolving
        case "connect": .connecting
        case "tls": .securing
        case blocked, offline: .preparing
        case "timeout" where failure.message.contains("CONNECTION_TIMED_OUT"): .connecting
        default: nil
        }
    }
}
