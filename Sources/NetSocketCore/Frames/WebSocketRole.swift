/// The side of a WebSocket that a codec or a wire protocol acts for. A client masks its frames, a server must not (RFC
/// 6455 section 5.1).
public enum WebSocketRole: Sendable, Hashable {
    case client, server
}
