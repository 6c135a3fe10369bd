public import NetCore
internal import Synchronization

/// An open WebSocket. Any task may send; one task at a time receives.
///
/// What arrives waits, 1 MiB by default, then the server is held back until you receive. What you send waits in a buffer
/// of the same size, then ``send(_:)-(WebSocketMessage)`` suspends. Pings are answered by themselves. Dropping the last
/// reference drops the connection; ``close(_:reason:)`` says good-bye first.
public final class WebSocketConnection: Sendable {
    private struct Pending {
        var messages: [WebSocketMessage] = []
        var next = 0

        mutating func pop() -> WebSocketMessage? {
            guard next < messages.count else { return nil }
            defer {
                next += 1
                if next == messages.count { (messages, next) = ([], 0) }
            }
            return messages[next]
        }

        mutating func popAll() -> [WebSocketMessage] {
            defer { (messages, next) = ([], 0) }
            return next == 0 ? messages : Array(messages[next...])
        }
    }

    private let link: any WebSocketLink
    private let pending = Mutex(Pending())

    /// The server's response to the opening handshake.
    public let response: ResponseHead
    /// The subprotocol that the server selected; nil for none, and for one that contains a secret
    /// (``NetCore/WebSocketRequest/secretSubprotocol``).
    public let subprotocol: String?

    init(_ link: any WebSocketLink, response: ResponseHead, subprotocol: String?) {
        self.link = link
        self.response = response
        self.subprotocol = subprotocol
    }

    /// Creates a connection over an open link of a transport.
    public convenience init(_ link: any WebSocketLink) {
        self.init(link, response: link.response, subprotocol: link.subprotocol)
    }

    // MARK: Sending

    /// Sends text. Throws as ``send(_:)-(WebSocketMessage)`` does.
    public func send(_ text: String) async throws(NetError) {
        try await link.send(.text(text))
    }

    /// Sends bytes. Throws as ``send(_:)-(WebSocketMessage)`` does.
    public func send(_ bytes: Bytes) async throws(NetError) {
        try await link.send(.binary(bytes))
    }

    /// Sends a message: returns when it is in the send buffer, suspends while that is full.
    ///
    /// Throws `.webSocketClosed` once the connection is closed or closing, `.connectionLost` when it broke, `.cancelled`
    /// when the task is cancelled while it waits; the message is not sent then.
    public func send(_ message: WebSocketMessage) async throws(NetError) {
        try await link.send(message)
    }

    /// Sends messages in order, many with one system call: the fastest way to send small ones. Throws as
    /// ``send(_:)-(WebSocketMessage)`` does; those before the one that could not be sent are sent.
    public func send(contentsOf messages: [WebSocketMessage]) async throws(NetError) {
        try await link.send(contentsOf: messages)
    }

    // MARK: Receiving

    /// The next message; suspends until one arrives.
    ///
    /// Throws `.webSocketClosed` with `closure` after a closing handshake, `.connectionLost` when the connection ended
    /// without one, `.protocolViolation` or `.bodyTooLarge` when the server broke the rules, `.cancelled` when the task is
    /// cancelled; no message is lost by that.
    public func receive() async throws(NetError) -> WebSocketMessage {
        while true {
            if let message = pending.withLock({ $0.pop() }) { return message }
            let arrived = try await link.receive()
            pending.withLock { $0.messages.append(contentsOf: arrived) }
        }
    }

    /// Every message that has arrived, at least one; suspends until one arrives. The fastest way to receive small ones.
    /// Throws as ``receive()`` does.
    public func receiveAll() async throws(NetError) -> [WebSocketMessage] {
        let left = pending.withLock { $0.popAll() }
        if !left.isEmpty { return left }
        return try await link.receive()
    }

    /// The messages as they arrive. The sequence ends after a closing handshake with 1000, whoever began it, and throws
    /// for every other end. A message that was not asked for yet is not lost when you stop: it comes next.
    public var messages: WebSocketMessages { WebSocketMessages(connection: self) }

    // MARK: Ping and close

    /// Sends a ping and returns when its pong has come, with the time between. A pong behind messages that nobody
    /// receives is not seen before they are received. Throws as ``receive()`` does.
    @discardableResult
    public func ping() async throws(NetError) -> Duration {
        try await link.ping()
    }

    /// Closes the WebSocket: sends what was sent before, then the close frame, and returns when the server has answered
    /// and the connection has ended, after five seconds at the latest. Messages that arrive meanwhile are dropped.
    /// Closing what is closed does nothing. A code that must not be sent (RFC 6455 section 7.4.1) becomes 1000; the reason
    /// is cut to 123 bytes.
    public func close(_ code: WebSocketCloseCode = .normalClosure, reason: String = "") async {
        let code = code.isValidOnWire ? code : .normalClosure
        await link.close(WebSocketClosure(code: code, reason: reason, isByPeer: false))
    }
}
