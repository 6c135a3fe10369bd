/// An open WebSocket of a transport: messages in both directions, with back-pressure in both.
///
/// Every function may be called from any task, but only one task at a time may be in ``receive()``. Dropping the last
/// reference ends the connection without a closing handshake.
public protocol WebSocketLink: AnyObject, Sendable {
    /// The server's response to the opening handshake.
    var response: ResponseHead { get }
    /// The subprotocol that the server selected; nil for none.
    var subprotocol: String? { get }

    /// Sends a message. Returns once it is in the connection's send buffer, and suspends while the buffer is full
    /// because the peer is slow. Throws `.webSocketClosed` once the connection has ended or is ending. Cancellation
    /// while suspended throws `.cancelled`, and the message isn't sent.
    func send(_ message: WebSocketMessage) async throws(NetError)
    /// Sends messages in order, in one write if they fit. Cancellation throws `.cancelled`; the messages before the one
    /// that was waiting are sent.
    func send(contentsOf messages: [WebSocketMessage]) async throws(NetError)
    /// Returns all messages that have arrived, at least one; suspends until there is one. Throws `.webSocketClosed`
    /// once the connection has ended and everything before its end was received. Cancellation loses no message.
    func receive() async throws(NetError) -> [WebSocketMessage]
    /// Sends a ping and returns the round-trip time once its pong has arrived.
    func ping() async throws(NetError) -> Duration
    /// Performs the closing handshake and returns once the connection has ended, after at most five seconds.
    func close(_ closure: WebSocketClosure) async
}
