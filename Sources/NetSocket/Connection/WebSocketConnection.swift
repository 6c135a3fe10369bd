public import NetCore
internal import Synchronization

/// An open WebSocket. Any task can send; only one task at a time can receive.
///
/// Messages that arrive are buffered, 1 MiB by default; beyond that, back-pressure stops the server until you receive.
/// Messages that you send are buffered up to the same size; beyond that, ``send(_:)-(WebSocketMessage)`` suspends. The
/// connection responds to pings automatically. Dropping the last reference drops the connection; ``close(_:reason:)``
/// performs the closing handshake first.
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
    /// Measures the time limits of pings.
    private let clock: NetClock
    /// The link, if it can send without suspending.
    private let immediate: (any ImmediateSending)?
    private let pending = Mutex(Pending())

    /// The server's response to the opening handshake.
    public let response: ResponseHead
    /// The subprotocol that the server selected; nil if it selected none, or one that contains a secret
    /// (``NetCore/WebSocketRequest/secretSubprotocol``).
    public let subprotocol: String?
    /// The compression that both sides agreed on; nil for none.
    public var compression: WebSocketCompression? { link.compression }
    /// The time since the last byte from the server arrived; nil if the transport doesn't know.
    public var silence: Duration? { link.silence }

    init(_ link: any WebSocketLink, response: ResponseHead, subprotocol: String?, clock: NetClock) {
        self.link = link
        self.clock = clock
        immediate = link as? any ImmediateSending
        self.response = response
        self.subprotocol = subprotocol
    }

    /// Creates a connection over an open link of a transport.
    ///
    /// - Parameter clock: The clock for the time limits of pings. Default: the system's.
    public convenience init(_ link: any WebSocketLink, clock: NetClock = .system) {
        self.init(link, response: link.response, subprotocol: link.subprotocol, clock: clock)
    }

    // MARK: Sending

    var sendsImmediately: Bool { immediate != nil }

    /// Sends a message without waiting. Returns false if that isn't possible.
    func sendImmediately(_ message: WebSocketMessage) -> Bool { immediate?.sendImmediately(message) ?? false }

    /// Sends text. Throws like ``send(_:)-(WebSocketMessage)``.
    public func send(_ text: String) async throws(NetError) {
        try await link.send(.text(text))
    }

    /// Sends bytes. Throws like ``send(_:)-(WebSocketMessage)``.
    public func send(_ bytes: Bytes) async throws(NetError) {
        try await link.send(.binary(bytes))
    }

    /// Sends a message. Suspends while the send buffer is full, and returns when the message is in the buffer.
    ///
    /// Throws `.webSocketClosed` if the connection is closed or closing, `.connectionLost` if it broke, and
    /// `.cancelled` if the task is cancelled while it waits. The message isn't sent in these cases.
    public func send(_ message: WebSocketMessage) async throws(NetError) {
        try await link.send(message)
    }

    /// Sends a message, compressed or not according to `compression`, if the server agreed to
    /// ``NetCore/WebSocketRequest/compression``. Throws like ``send(_:)-(WebSocketMessage)``.
    public func send(_ message: WebSocketMessage, compression: MessageCompression) async throws(NetError) {
        try await link.send(message, compression: compression)
    }

    /// Sends one message in parts. Each part is sent when the sequence produces it, and the last one completes the
    /// message (RFC 6455 section 5.4). Other messages wait until then.
    ///
    ///     let socket = try await WebSocketClient().connect("wss://example.com/upload")
    ///     let file = AsyncStream<Bytes> { $0.finish() }
    ///     try await socket.send(parts: file, as: .binary)
    ///
    /// The parts of a text must be UTF-8 when joined; a character may span parts. If, after a part has been sent, the
    /// sequence throws, the task is cancelled, or the text isn't UTF-8, the message can't be taken back: the WebSocket
    /// is closed with 1011. Throws like ``send(_:)-(WebSocketMessage)``, and `.encoding` for text that isn't UTF-8 or
    /// if the sequence throws.
    public func send<Parts: AsyncSequence>(
        parts: Parts, as kind: WebSocketMessage.Kind, compression: MessageCompression = .automatic
    ) async throws(NetError) where Parts.Element == Bytes {
        var iterator = parts.makeAsyncIterator()
        try await link.send(partsOf: kind, compression: compression) { () async throws(NetError) -> Bytes? in
            do {
                let part = try await iterator.next(isolation: #isolation)
                // Some sequences just end when their task is cancelled. Half a message must not count as a whole one.
                if part == nil { try Task.checkCancellation() }
                return part
            } catch {
                throw NetError.failedParts(error)
            }
        }
    }

    /// Sends messages in order, many of them with one system call: the fastest way to send small messages. Throws like
    /// ``send(_:)-(WebSocketMessage)``; the messages before the failed one have been sent.
    public func send(contentsOf messages: [WebSocketMessage]) async throws(NetError) {
        try await link.send(contentsOf: messages)
    }

    // MARK: Receiving

    /// Returns the next message; suspends until one arrives.
    ///
    /// Throws `.webSocketClosed` with `closure` after a closing handshake, `.connectionLost` if the connection ended
    /// without one, `.protocolViolation` or `.bodyTooLarge` if the server violated the protocol or the size limit, and
    /// `.cancelled` if the task is cancelled. Cancellation loses no messages.
    public func receive() async throws(NetError) -> WebSocketMessage {
        while true {
            if let message = pending.withLock({ $0.pop() }) { return message }
            let arrived = try await link.receive()
            pending.withLock { $0.messages.append(contentsOf: arrived) }
        }
    }

    /// Returns all messages that have arrived, at least one; suspends until one arrives. The fastest way to receive
    /// small messages. Throws like ``receive()``.
    public func receiveAll() async throws(NetError) -> [WebSocketMessage] {
        let left = pending.withLock { $0.popAll() }
        if !left.isEmpty { return left }
        return try await link.receive()
    }

    /// The messages as they arrive. The sequence ends after a closing handshake with 1000, regardless of which side
    /// began it, and throws for any other end. Messages that you haven't asked for when you stop iterating aren't lost:
    /// the next iteration or receive returns them.
    public var messages: WebSocketMessages { WebSocketMessages(connection: self) }

    // MARK: Ping and close

    /// Sends a ping and returns the time until its pong arrives. While it waits, the connection buffers up to twice as
    /// many unreceived messages as usual, so that it finds a pong that arrives behind them. Throws like ``receive()``.
    ///
    /// - Parameter timeout: The time limit for the pong, on the client's clock. Default 15 s, the
    ///   ``NetCore/WebSocketLiveness/grace`` of liveness checks; nil for no limit. Beyond it, throws `.timeout`; the
    ///   connection stays open.
    @discardableResult
    public func ping(timeout: Duration? = .seconds(15)) async throws(NetError) -> Duration {
        guard let timeout else { return try await link.ping() }
        // The group is only left with a result: the link's ping ends when its task is cancelled.
        let result = await withTaskGroup(of: Result<Duration, NetError>?.self) { [link, clock] group in
            group.addTask {
                do throws(NetError) { return .success(try await link.ping()) } catch { return .failure(error) }
            }
            group.addTask {
                try? await clock.sleep(for: timeout)
                return nil
            }
            // A caller's cancellation also ends the sleep; the ping reports it.
            var first = await group.next() ?? nil
            if first == nil, Task.isCancelled { first = await group.next() ?? nil }
            group.cancelAll()
            return first
        }
        guard let result else {
            throw NetError(.timeout, phase: .waiting, message: "no pong arrived within \(timeout)")
        }
        return try result.get()
    }

    /// Closes the WebSocket and waits until the connection has ended, for at most five seconds.
    ///
    /// Sends the buffered messages, then the close frame, and waits for the server's close frame and the end of the
    /// connection. Messages that arrive in the meantime are dropped. Closing a closed connection does nothing. The
    /// reason is cut to 123 bytes. If the task is cancelled, the connection ends immediately: the close frame is sent if
    /// that's possible without waiting. Receiving then throws an error whose ``NetCore/WebSocketClosure`` has `code`, or
    /// 1006 and ``NetCore/WebSocketClosure/sentCode`` if the server didn't confirm it.
    public func close(_ code: CloseFrameCode = .normalClosure, reason: String = "") async {
        await link.close(WebSocketClosure(code: code.code, reason: reason, isByPeer: false))
    }

    /// Ends the connection immediately, without a closing handshake: for a server that is known to be gone. Later calls
    /// throw `.connectionLost`.
    public func drop() { link.drop() }
}

extension NetError {
    /// The error for a sequence of parts that has thrown.
    fileprivate static func failedParts(_ error: any Error) -> NetError {
        if let error = error as? NetError { return error }
        let isCancelled = error is CancellationError
        return NetError(
            isCancelled ? .cancelled : .encoding, phase: .sending,
            message: isCancelled ? "sending was cancelled between two parts" : "a message in parts was not completed",
            underlying: error)
    }
}
