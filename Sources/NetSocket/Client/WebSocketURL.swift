internal import NetCore
internal import NetSocketCore

/// The address of a WebSocket (RFC 6455 section 3), taken apart.
struct WebSocketURL: Equatable {
    var isSecure: Bool
    /// Host and port as they were written.
    var authority: String
    /// Path and query.
    var path: String

    /// Throws a sentence about what is wrong; it never quotes the URL, which may hold secrets.
    init(_ text: String) throws(WebSocketViolation) {
        func refuse(_ message: String) -> WebSocketViolation { WebSocketViolation(.policyViolation, message) }
        guard let colon = text.firstRange(of: "://") else {
            throw refuse("a WebSocket's URL begins with ws:// or wss://")
        }
        switch text[..<colon.lowerBound].lowercased() {
        case "ws": isSecure = false
        case "wss": isSecure = true
        default: throw refuse("a WebSocket's URL begins with ws:// or wss://, not with another scheme")
        }
        let rest = text[colon.upperBound...]
        guard !rest.contains("#") else { throw refuse("a WebSocket's URL has no fragment (#)") }
        guard rest.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
            throw refuse("a WebSocket's URL has ASCII characters only, and no blanks; encode others with %")
        }
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        authority = String(rest[..<end])
        guard !authority.contains("@") else {
            throw refuse("a WebSocket's URL has no user and password; set the field Authorization")
        }
        let port = authority.last == "]" ? nil : authority.lastIndex(of: ":")
        let host = authority[..<(port ?? authority.endIndex)]
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 != 92 && $0 != 37 || host.hasPrefix("[") }) else {
            throw refuse("a WebSocket's URL needs a host name")
        }
        if let port {
            guard let number = Int(authority[authority.index(after: port)...]), (1...65_535).contains(number) else {
                throw refuse("the port in a WebSocket's URL is a number from 1 to 65535")
            }
        }
        path = rest[end...].isEmpty ? "/" : rest[end] == "?" ? "/" + rest[end...] : String(rest[end...])
    }

    var scheme: String { isSecure ? "wss" : "ws" }
}
