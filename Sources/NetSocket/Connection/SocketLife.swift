#if os(Linux)
internal import NetCore
internal import NetCurl

/// The server's response when it has accepted a WebSocket.
struct OpenedSocket: Sendable {
    var response: ResponseHead
    var subprotocol: String?
    var compression: WebSocketCompression?
}

/// The server's response to an opening handshake.
enum SocketOpening: Sendable {
    case opened(OpenedSocket)
    case refused(ResponseHead, body: Bytes)
}

/// The beginning and the end of a connection, for the tasks that wait for them.
struct SocketLife {
    private(set) var isCancelled = false
    private(set) var hasEnded = false
    private var result: Result<SocketOpening, NetError>?
    private var isOpeningOver = false
    private(set) var stream: ByteStream?
    private var opener: UnsafeContinuation<Void, Never>?
    /// The tasks that wait for the end.
    var closers = WaiterList<Void>()

    /// Registers the task that waits for the connection to open. Returns true if opening has already been cancelled.
    mutating func begin(_ stream: ByteStream, opener: UnsafeContinuation<Void, Never>) -> Bool {
        // The loop may have ended the connection already. Then nothing would release the stream, which holds the
        // driver.
        if !hasEnded { self.stream = stream }
        if isOpeningOver { opener.resume() } else { self.opener = opener }
        return isCancelled
    }

    /// Cancels opening. Returns the stream whose loop must be notified.
    mutating func cancelOpening() -> ByteStream? {
        guard !isOpeningOver else { return nil }
        isCancelled = true
        return stream
    }

    mutating func finishOpening(_ result: Result<SocketOpening, NetError>) -> UnsafeContinuation<Void, Never>? {
        guard !isOpeningOver else { return nil }
        isOpeningOver = true
        self.result = result
        return opener.take()
    }

    /// Returns the result of the opening, once: the connection doesn't keep the server's response.
    mutating func takeResult() -> Result<SocketOpening, NetError>? { result.take() }

    /// Records the end of the connection. Returns the tasks that were waiting for it.
    mutating func end() -> [WaiterList<Void>.Waiter] {
        hasEnded = true
        stream = nil
        return closers.releaseAll(with: ())
    }

    /// Registers a task that waits for the end. Returns nil if the connection has ended.
    mutating func makeWaiter() -> WaiterList<Void>.ID? { hasEnded ? nil : closers.register() }
}
#endif
