#if os(Linux)
internal import NetCore
internal import NetCurl

/// What the server answered when it accepted a WebSocket.
struct OpenedSocket: Sendable {
    var response: ResponseHead
    var subprotocol: String?
}

/// The server's answer to an opening handshake.
enum SocketOpening: Sendable {
    case opened(OpenedSocket)
    case refused(ResponseHead, body: Bytes)
}

/// The beginning and the end of a connection, for the tasks that wait for them.
struct SocketLife {
    private(set) var isCancelled = false
    private(set) var hasEnded = false
    private(set) var result: Result<SocketOpening, NetError>?
    private(set) var stream: ByteStream?
    private var opener: UnsafeContinuation<Void, Never>?
    /// Tasks that wait for the end.
    var closers = WaiterList<Void>()

    /// The task that opens waits from now on; true when it was cancelled before.
    mutating func begin(_ stream: ByteStream, opener: UnsafeContinuation<Void, Never>) -> Bool {
        // The loop may have been quicker than this; then nobody would let go of the stream, which holds the driver.
        if !hasEnded { self.stream = stream }
        if result == nil { self.opener = opener } else { opener.resume() }
        return isCancelled
    }

    /// Opening is cancelled; returns the stream whose loop must hear of it.
    mutating func cancelOpening() -> ByteStream? {
        guard result == nil else { return nil }
        isCancelled = true
        return stream
    }

    mutating func finishOpening(_ result: Result<SocketOpening, NetError>) -> UnsafeContinuation<Void, Never>? {
        guard self.result == nil else { return nil }
        self.result = result
        return opener.take()
    }

    /// The connection is gone.
    mutating func end() -> [WaiterList<Void>.Waiter] {
        hasEnded = true
        stream = nil
        return closers.releaseAll(with: ())
    }

    /// Registers a task that waits for the end; nil if it has come.
    mutating func makeWaiter() -> WaiterList<Void>.ID? { hasEnded ? nil : closers.register() }
}
#endif
