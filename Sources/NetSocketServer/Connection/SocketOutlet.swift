#if Server
internal import NetCore
internal import NetSocketCore

/// The outlet of a connection: a socket, or a link in memory. Used on the connection's lane.
protocol SocketOutlet: AnyObject, Sendable {
    /// False while the peer is slow and the outlet is full.
    var isWritable: Bool { get }
    /// Sends a message.
    func send(_ message: WebSocketMessage)
    /// Sends a message that is encoded once for all its receivers.
    func send(_ frame: SharedFrame)
    /// Sends a ping.
    func ping()
    /// Starts the closing handshake, or drops the connection if it has already started.
    func close(_ code: WebSocketCloseCode, _ reason: String)
    /// Ends the connection without a closing handshake.
    func drop()
    /// Pauses or resumes reading.
    func setReading(_ isReading: Bool)
}
#endif
