/// An open WebSocket of a transport: messages in both directions, with back-pressure in both.
///
/// Every function may be called from any task, but only one task at a time may be in ``receive()``. Dropping the last
/// reference ends the connection without a closing handshake.
public protocol WebSocketLink: AnyObject, Sendable {
    /// The server's response to the opening handshake.
    var response: ResponseHead { get }
    /// The subprotocol that the server selected; nil for none.
    var subprotocol: String? { get }
    /// The compression that both sides agreed on; nil for none, which is the default.
    var compression: WebSocketCompression? { get }
    /// The time since the last byte from the peer arrived; nil if the transport doesn't know, which is the default.
    var silence: Duration? { get }

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
    /// Sends a message, compressed as specified by `compression`. By default, ignores `compression`.
    func send(_ message: WebSocketMessage, compression: MessageCompression) async throws(NetError)
    /// Sends one message in the parts that `next` returns, each as soon as it is available, until `next` returns nil.
    /// By default, sends the whole message once all parts are available.
    ///
    /// Other messages wait meanwhile; control frames don't. If `next` throws after the first part was sent, the
    /// message can't be withdrawn: the WebSocket is closed with 1011, and the error is thrown.
    func send(
        partsOf kind: WebSocketMessage.Kind, compression: MessageCompression,
        next: () async throws(NetError) -> Bytes?
    ) async throws(NetError)
    /// Ends the connection immediately, without a closing handshake. By default, does nothing.
    func drop()
}

extension WebSocketLink {
    public var compression: WebSocketCompression? { nil }
    public var silence: Duration? { nil }

    public func send(_ message: WebSocketMessage, compression: MessageCompression) async throws(NetError) {
        try await send(message)
    }

    public func send(
        partsOf kind: WebSocketMessage.Kind, compression: MessageCompression,
        next: () async throws(NetError) -> Bytes?
    ) async throws(NetError) {
        var parts: [Bytes] = []
        var count = 0
        while let part = try await next() {
            parts.append(part)
            count += part.count
        }
        let whole = parts.isEmpty ? Bytes() : Bytes.join(parts, count: count)
        switch kind {
        case .binary: try await send(.binary(whole), compression: compression)
        case .text:
            guard let text = String(validating: whole, as: UTF8.self) else { throw NetError.textIsNotUTF8 }
            try await send(.text(text), compression: compression)
        }
    }

    public func drop() {}
}

extension NetError {
    /// The error for a text message whose parts aren't valid UTF-8.
    package static var textIsNotUTF8: NetError {
        NetError(
            .encoding, phase: .sending,
            message: "the parts of a text message don't form valid UTF-8; send them as .binary")
    }
}
