internal import NetCore
internal import NetSocketCore

/// The URL of a WebSocket (RFC 6455 section 3), split into its parts.
struct WebSocketURL: Equatable {
    var isSecure: Bool
    /// The host and port as written.
    var authority: String
    /// The path and query.
    var path: String

    /// Throws the reason if the URL is invalid. The message never contains the URL, which may contain secrets.
    init(_ text: String) throws(WebSocketViolation) {
        func refuse(_ message: String) -> WebSocketViolation { WebSocketViolation(.policyViolation, message) }
        let reference = URLReference(text)
        guard let scheme = reference.scheme, let whole = reference.authority else {
            throw refuse("a WebSocket's URL begins with ws:// or wss://")
        }
        switch scheme.lowercased() {
        case "ws": isSecure = false
        case "wss": isSecure = true
        default: throw refuse("a WebSocket's URL begins with ws:// or wss://, not with another scheme")
        }
        guard reference.fragment == nil else { throw refuse("a WebSocket's URL has no fragment (#)") }
        guard text.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
            throw refuse("a WebSocket's URL has ASCII characters only, and no blanks; encode others with %")
        }
        let parts = Authority(whole)
        guard parts.userInformation == nil else {
            throw refuse("a WebSocket's URL has no user and password; set the field Authorization")
        }
        let host = parts.host
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 != 92 && $0 != 37 || host.hasPrefix("[") }) else {
            throw refuse("a WebSocket's URL needs a host name")
        }
        if parts.portText != nil, parts.port ?? 0 == 0 {
            throw refuse("the port in a WebSocket's URL is a number from 1 to 65535")
        }
        authority = parts.hostAndPort
        path = (reference.path.isEmpty ? "/" : reference.path) + (reference.query.map { "?" + $0 } ?? "")
    }

    var scheme: String { isSecure ? "wss" : "ws" }
}
