/// The side of a WebSocket that a codec acts for: a client masks its frames, a server must not (RFC 6455 section 5.1).
package enum WebSocketRole: Sendable {
    case client, server
}
