/// When a session that runs has a connection.
///
///     let configuration = SocketClient.Configuration(connects: .whenNeeded(idle: .seconds(60)))
public enum SocketConnecting: Sendable, Hashable {
    /// Always.
    case atOnce
    /// While something needs it: a message that waits, a reply that is awaited, a channel, a subscription. Handlers and
    /// observers of pushes don't. The connection is closed, and the session ``NetSocketCore/SocketSessionState/idle``, once
    /// nothing has for `idle`.
    case whenNeeded(idle: Duration)
}
