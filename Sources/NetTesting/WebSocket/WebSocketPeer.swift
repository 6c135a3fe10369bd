public import NetCore

/// The server's end of a WebSocket, as a ``WebSocketStub`` gets it: in memory, or on a test server's socket. Any task may
/// send; one at a time may receive.
///
/// Reading answers pings and the client's close frame by itself. Everything is bounded: what is not read stays with the
/// client, and sending returns when the client has taken the message or the kernel has the bytes. Every function throws
/// once the connection is gone.
public protocol WebSocketPeer: AnyObject, Sendable {
    /// The handshake's request, its path's parameters filled in.
    var request: StubRequest { get }
    /// The subprotocol that was agreed; nil for none.
    var subprotocol: String? { get }
    /// The clock that pauses are measured on.
    var clock: NetClock { get }

    /// The next message; nil once the client has closed or is gone.
    func receive() async throws -> WebSocketMessage?
    /// Every message that has arrived, at least one; nil once the client has closed or is gone.
    func receiveAll() async throws -> [WebSocketMessage]?
    /// Sends messages, as one write.
    func send(contentsOf messages: [WebSocketMessage]) async throws
    /// Sends a message in as many frames as there are parts.
    func send(fragments: [Bytes], isText: Bool) async throws
    /// Sends bytes that need not be a frame. In memory, where there are no frames, any are a breach of the protocol.
    func send(raw bytes: Bytes) async throws
    /// Sends a ping, its payload cut to 125 bytes; does not wait for the pong.
    func ping(_ payload: Bytes) async throws
    /// Sends a pong, its payload cut to 125 bytes.
    func pong(_ payload: Bytes) async throws
    /// Sends a close frame and reads until the client has answered, at most five seconds. Any code may be sent, also
    /// one that may not; ``NetCore/WebSocketCloseCode/noStatusReceived`` sends an empty frame.
    func close(_ code: WebSocketCloseCode, reason: String) async throws
    /// Ends the connection without a close frame; with ``ConnectionDrop/Form/stall`` it stays open and dead.
    func drop(_ form: ConnectionDrop.Form) async
    /// Reads nothing until the connection ends.
    func stall() async throws
}

extension WebSocketPeer {
    /// Sends a text.
    public func send(_ text: String) async throws { try await send(contentsOf: [.text(text)]) }
    /// Sends a message in one frame.
    public func send(_ message: WebSocketMessage) async throws { try await send(contentsOf: [message]) }
    /// Sends an empty ping; does not wait for the pong.
    public func ping() async throws { try await ping(Bytes()) }
    /// Sends an empty pong.
    public func pong() async throws { try await pong(Bytes()) }
    /// Does the closing handshake without a reason.
    public func close(_ code: WebSocketCloseCode = .normalClosure) async throws { try await close(code, reason: "") }
    /// Closes the connection without a close frame.
    public func drop() async { await drop(.close) }
}
