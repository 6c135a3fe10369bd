#if Server
internal import NetCore
internal import NetSocketCore

/// The way out of a connection: to a socket, or to a link in memory. Used on the connection's lane.
protocol SocketOutlet: AnyObject, Sendable {
    /// False while the peer is slow and enough waits for it.
    var isWritable: Bool { get }
    /// Sends a message.
    func send(_ message: WebSocketMessage)
    /// Sends a message that is encoded once for all who receive it.
    func send(_ frame: SharedFrame)
    /// Asks for a sign of life.
    func ping()
    /// Begins the closing handshake, or drops the connection if one has begun.
    func close(_ code: WebSocketCloseCode, _ reason: String)
    /// Ends the connection without a closing handshake.
    func drop()
    /// Stops reading, or goes on.
    func setReading(_ isReading: Bool)
}
#endif
