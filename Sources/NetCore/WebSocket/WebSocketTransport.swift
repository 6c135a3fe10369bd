/// Opens WebSockets: over libcurl's loop on Linux, or over something of your own.
public protocol WebSocketTransport: Sendable {
    /// Opens a WebSocket and returns when the server has accepted it.
    ///
    /// Throws a ``NetError``: `.dns`, `.connect`, `.tls`, `.timeout`, `.unacceptableStatus` with the response when the
    /// server answers something else than 101, `.protocolViolation` when its answer is no handshake, `.cancelled` when
    /// the task is cancelled.
    func connect(_ request: WebSocketRequest, context: CallContext) async throws(NetError) -> any WebSocketLink
    /// Ends every connection and frees the transport; later calls throw `.shutdown`. Default: nothing.
    func shutdown() async
}

extension WebSocketTransport {
    public func shutdown() async {}
}

/// An open WebSocket as a transport hands it over: messages in and out, with back-pressure both ways.
///
/// Every function may be called from any task; one task at a time may be in ``receive()``. Dropping the last reference
/// ends the connection without a closing handshake.
public protocol WebSocketLink: AnyObject, Sendable {
    /// The server's answer to the opening handshake.
    var response: ResponseHead { get }
    /// The subprotocol that the server chose; nil for none.
    var subprotocol: String? { get }

    /// Sends a message. Returns when it is in the connection's send buffer, and suspends while that is full because the
    /// peer is slow. Throws `.webSocketClosed` once the connection has ended or is ending. Cancellation while it waits
    /// throws `.cancelled`, and the message is not sent.
    func send(_ message: WebSocketMessage) async throws(NetError)
    /// Sends messages in order, as one write where they fit. Cancellation throws `.cancelled`; those before the one that
    /// waited are sent.
    func send(contentsOf messages: [WebSocketMessage]) async throws(NetError)
    /// Every message that has arrived, at least one; suspends until one has. Throws `.webSocketClosed` once the connection
    /// has ended and everything before its end was received. Cancellation loses no message.
    func receive() async throws(NetError) -> [WebSocketMessage]
    /// Sends a ping and returns when its pong has come, with the time it took.
    func ping() async throws(NetError) -> Duration
    /// Does the closing handshake and returns when the connection has ended, after five seconds at the latest.
    func close(_ closure: WebSocketClosure) async
}
