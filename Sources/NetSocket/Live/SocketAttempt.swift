public import NetCore

/// An attempt to open a connection of a session.
public struct SocketAttempt: Sendable, Hashable {
    /// The number of the attempt, counted from 1 since the last stable connection.
    public var number: Int
    /// True if the server refused the last credential, with the status 401 or the close code 4401. Don't use a cached
    /// token then.
    public var needsNewCredential: Bool
}

extension WebSocketRequest {
    /// The bearer token in the `Authorization` header (RFC 6750); nil for none. A token that a header can't contain
    /// isn't set, since the handshake would fail with it.
    ///
    ///     var request = WebSocketRequest(url: "wss://example.com/chat")
    ///     request.bearer = "a1b2"
    public var bearer: String? {
        get {
            headers[.authorization].flatMap { value in
                value.lowercased().hasPrefix("bearer ") ? String(value.dropFirst(7)) : nil
            }
        }
        set { headers[.authorization] = newValue.flatMap { try? Authorization.bearer($0).value } }
    }
}
