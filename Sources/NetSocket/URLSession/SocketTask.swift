#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import NetCore

/// The part of a URLSession's WebSocket task that ``SocketTaskDriver`` uses. Completions may be called on any thread,
/// and before the function has returned. Their errors don't name a call.
protocol SocketTask: Sendable {
    /// The server's response to the opening handshake, once it has arrived.
    var response: ResponseHead? { get }
    /// The peer's close frame, once it has arrived.
    var closure: (code: WebSocketCloseCode, reason: String)? { get }

    func start()
    /// Asks for the next message.
    func receive(_ completion: @escaping @Sendable (Result<WebSocketMessage, NetError>) -> Void)
    /// Sends a message; completes when the kernel has accepted it.
    func send(_ message: WebSocketMessage, _ completion: @escaping @Sendable (NetError?) -> Void)
    /// Sends a ping; completes when its pong has arrived.
    func ping(_ completion: @escaping @Sendable (NetError?) -> Void)
    /// Sends a close frame.
    func close(_ closure: WebSocketClosure)
    /// Ends the connection without a close frame.
    func cancel()
}
#endif
