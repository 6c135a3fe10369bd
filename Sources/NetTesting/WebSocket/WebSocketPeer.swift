public import NetCore

/// The server's end of a WebSocket, in memory or on a test server's socket, that a ``WebSocketStub`` receives. Any task
/// can send; only one task at a time can receive.
///
/// Reading responds to pings and to the client's close frame automatically. Everything is bounded: unread messages stay
/// with the client, and sending returns when the client has taken the message or the kernel has accepted the bytes.
/// Every function throws after the connection is gone.
public protocol WebSocketPeer: AnyObject, Sendable {
    /// The request of the handshake, with the parameters of its path set.
    var request: StubRequest { get }
    /// The negotiated subprotocol; nil if there is none.
    var subprotocol: String? { get }
    /// The compression that both sides agreed on; nil for none.
    var compression: WebSocketCompression? { get }
    /// The clock that measures pauses.
    var clock: NetClock { get }

    /// Returns the next message; nil if the client has closed the connection or is gone.
    func receive() async throws -> WebSocketMessage?
    /// Returns all messages that have arrived, at least one; nil if the client has closed the connection or is gone.
    func receiveAll() async throws -> [WebSocketMessage]?
    /// Sends messages with one write.
    func send(contentsOf messages: [WebSocketMessage]) async throws
    /// Sends a message in one frame, compressed or not.
    func send(_ message: WebSocketMessage, compression: MessageCompression) async throws
    /// Sends a message in as many frames as there are fragments.
    func send(fragments: [Bytes], isText: Bool) async throws
    /// Sends arbitrary bytes, which don't have to form a frame.
    func send(raw bytes: Bytes) async throws
    /// Sends a ping and doesn't wait for the pong. The payload is cut to 125 bytes.
    func ping(_ payload: Bytes) async throws
    /// Sends a pong. The payload is cut to 125 bytes.
    func pong(_ payload: Bytes) async throws
    /// Sends a close frame and reads until the client has responded, for at most five seconds. Any code can be sent,
    /// even one that isn't allowed; ``NetCore/WebSocketCloseCode/noStatusReceived`` sends an empty frame. In memory, it
    /// also returns if the client has unread messages before the close frame; the client's response is then read in the
    /// background.
    func close(_ code: WebSocketCloseCode, reason: String) async throws
    /// Ends the connection without a close frame. With ``ConnectionDrop/Form/stall``, it stays open but unresponsive.
    func drop(_ form: ConnectionDrop.Form) async
    /// Reads nothing until the connection ends.
    func stall() async throws
}

extension WebSocketPeer {
    public var compression: WebSocketCompression? { nil }

    public func send(_ message: WebSocketMessage, compression: MessageCompression) async throws {
        try await send(contentsOf: [message])
    }

    /// Sends a text message.
    public func send(_ text: String) async throws { try await send(contentsOf: [.text(text)]) }
    /// Sends a message in one frame.
    public func send(_ message: WebSocketMessage) async throws { try await send(contentsOf: [message]) }
    /// Sends an empty ping and doesn't wait for the pong.
    public func ping() async throws { try await ping(Bytes()) }
    /// Sends an empty pong.
    public func pong() async throws { try await pong(Bytes()) }
    /// Performs the closing handshake without a reason.
    public func close(_ code: WebSocketCloseCode = .normalClosure) async throws { try await close(code, reason: "") }
    /// Closes the connection without a close frame.
    public func drop() async { await drop(.close) }
}
