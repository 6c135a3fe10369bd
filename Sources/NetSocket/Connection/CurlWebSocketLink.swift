#if os(Linux)
internal import NetCore
internal import NetCurl
internal import NetSocketCore
internal import Synchronization

/// An open WebSocket on the libcurl loop. Dropping it drops the connection.
final class CurlWebSocketLink: WebSocketLink, ImmediateSending {
    let response: ResponseHead
    let subprotocol: String?
    let compression: WebSocketCompression?
    let driver: SocketDriver
    let stream: ByteStream
    /// Keeps the engine alive, because the loop ends with its engine.
    private let engine: CurlEngine

    init(_ opened: OpenedSocket, driver: SocketDriver, stream: ByteStream, engine: CurlEngine) {
        response = opened.response
        subprotocol = opened.subprotocol
        compression = opened.compression
        self.driver = driver
        self.stream = stream
        self.engine = engine
    }

    deinit { drop() }

    // MARK: Sending

    func send(_ message: WebSocketMessage) async throws(NetError) {
        try await send(message, compression: .automatic)
    }

    func send(_ message: WebSocketMessage, compression: MessageCompression) async throws(NetError) {
        try await append({ $0.append(message, compression) }, record: { $0.record(.sent, message) })
    }

    func sendImmediately(_ message: WebSocketMessage) -> Bool {
        let action = appendRecorded({ $0.append(message, .automatic) }, record: { $0.record(.sent, message) })
        guard case .taken(let signals) = action else { return false }
        if signals { stream.signal() }
        return true
    }

    /// Appends and records under the lock that the loop needs to write, so that the record precedes the reply even if
    /// the loop is writing at this moment.
    private func appendRecorded(
        _ append: (inout SendBuffer) -> SendBuffer.AppendAction, record: (SocketRecorder) -> Void
    ) -> SendBuffer.AppendAction {
        driver.outbox.withLock { outbox in
            let action = append(&outbox)
            if case .taken = action, let recorder = driver.recorder { record(recorder) }
            return action
        }
    }

    /// Repeats `append` until there is room.
    func append(
        _ append: (inout SendBuffer) -> SendBuffer.AppendAction, record: (SocketRecorder) -> Void = { _ in }
    ) async throws(NetError) {
        while true {
            switch appendRecorded(append, record: record) {
            case .taken(let signals):
                if signals { stream.signal() }
                return
            case .full: try await waitForRoom()
            case .ended: throw endOfSending()
            }
        }
    }

    func send(contentsOf messages: [WebSocketMessage]) async throws(NetError) {
        var rest = messages[...]
        while !rest.isEmpty {
            let (count, action) = driver.outbox.withLock { outbox in
                let (count, action) = outbox.append(rest)
                if count > 0 { driver.recorder?.record(.sent, rest.prefix(count)) }
                return (count, action)
            }
            rest = rest.dropFirst(count)
            switch action {
            case .taken(let signals): if signals { stream.signal() }
            case .full: try await waitForRoom()
            case .ended: throw endOfSending()
            }
        }
    }

    private func waitForRoom() async throws(NetError) {
        guard let waiter = driver.outbox.withLock({ $0.makeWaiter() }) else { return }
        await WaiterList.wait(waiter, fallback: ()) { [driver] change in driver.outbox.withLock { change(&$0.waiters) }
        }
        if Task.isCancelled { throw cancelled(.sending, "sending was cancelled while the peer was slow") }
    }

    /// Returns the error for sending on a connection that has ended or is being closed.
    private func endOfSending() -> NetError {
        let (ending, closure) = (driver.inbox.withLock { $0.ending }, driver.outbox.withLock { $0.closeRequest })
        if let ending { return ending }
        return driver.origin.error(
            .webSocketClosed, phase: .sending, message: "the WebSocket is being closed here", closure: closure)
    }

    // MARK: Receiving

    func receive() async throws(NetError) -> [WebSocketMessage] {
        while true {
            switch driver.inbox.withLock({ $0.take() }) {
            case .messages(let messages, let resumesReading):
                if resumesReading { stream.signal() }
                return messages
            case .ended(let error): throw error
            case .wait(let signals):
                if signals { stream.signal() }
                try await waitForMessages()
            }
        }
    }

    private func waitForMessages() async throws(NetError) {
        var isAlone = true
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let waits = driver.inbox.withLock { inbox in
                    isAlone = !inbox.hasReceiver
                    return !Task.isCancelled && inbox.wait(continuation)
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            driver.inbox.withLock { $0.cancelReceiver() }?.resume()
        }
        guard isAlone else {
            throw driver.origin.error(
                .invalidRequest, phase: .receiving,
                message:
                    "another task is already receiving from this WebSocket; let one task receive and share the messages"
            )
        }
        if Task.isCancelled { throw cancelled(.receiving, "receiving was cancelled") }
    }

    // MARK: Ping and close

    func ping() async throws(NetError) -> Duration {
        let now = driver.origin.clock.now()
        let ping = driver.pings.withLock { $0.begin(now: now) }
        defer { driver.pings.withLock { $0.end(ping) } }
        let payload = ping.payload
        let action = appendRecorded(
            { $0.appendPing(payload) }, record: { $0.record(.sent, .ping, bytes: payload.count) })
        switch action {
        case .taken(let signals):
            // A loop that has stopped reading must continue: the pong may be behind the bytes that it hasn't read.
            if signals || driver.inbox.withLock({ $0.isReadingPaused }) { stream.signal() }
        case .full, .ended: throw endOfSending()
        }
        let ended = cancelled(.waiting, "waiting for a pong was cancelled")
        let outcome = await WaiterList.wait(ping.waiter, fallback: .failed(ended)) { [driver] change in
            driver.pings.withLock { change(&$0.waiters) }
        }
        switch outcome {
        case .answered(let duration): return duration
        case .failed(let error): throw error
        }
    }

    func close(_ closure: WebSocketClosure) async {
        if driver.outbox.withLock({ $0.requestClose(closure) }) { stream.signal() }
        guard let waiter = driver.life.withLock({ $0.makeWaiter() }) else { return }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                driver.life.withLock { $0.closers.suspend(waiter, continuation, fallback: ()) }?.resume()
            }
        } onCancel: {
            // The loop still writes the close frame if it can do so without waiting.
            drop()
        }
    }

    /// The time since the last byte from the server arrived.
    var silence: Duration? {
        max(
            .zero,
            .nanoseconds(Int64(clamping: MonotonicClock.now())) - .nanoseconds(driver.lastByte.load(ordering: .relaxed))
        )
    }

    func drop() {
        driver.outbox.withLock { $0.abandon() }
        stream.signal()
    }

    private func cancelled(_ phase: NetError.Phase, _ message: String) -> NetError {
        driver.origin.error(.cancelled, phase: phase, message: message)
    }
}
#endif
