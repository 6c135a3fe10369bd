/// Which side of a WebSocket a codec speaks for: a client masks what it sends, a server must not (RFC 6455 section 5.1).
package enum WebSocketRole: Sendable {
    case client, server
}
