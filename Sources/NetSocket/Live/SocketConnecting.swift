/// The times at which a running session has a connection.
///
///     let configuration = SocketClient.Configuration(connects: .whenNeeded(idle: .seconds(60)))
public enum SocketConnecting: Sendable, Hashable {
    /// Always.
    case immediately
    /// While something needs the connection: a waiting message, an awaited reply, a channel, a subscription. Handlers
    /// and observers of pushes don't count. Once nothing has needed the connection for `idle`, it is closed, and the
    /// session is ``NetSocketCore/SocketSessionState/idle``.
    case whenNeeded(idle: Duration)
}
