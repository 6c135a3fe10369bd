#if os(Linux)
internal import NetCore
internal import NetCurl
internal import Synchronization

/// Drives one WebSocket over a byte stream of the loop: handshake, frames, closing. The loop holds it while the connection
/// lives; the link that users hold talks to it through two locks, one for each direction.
///
/// `@unchecked Sendable`: the constants are Sendable, the mutexes guard what both sides touch, and every variable is
/// touched on the loop's thread alone.
final class SocketDriver: ByteStreamHandler, @unchecked Sendable {
    /// Bytes of frames: those in the decoder's own buffer, or others.
    private enum Input {
        case inPlace(Int)
        case copied(Bytes)
    }

    /// How long the closing handshake may take.
    static let closeTimeout = Duration.seconds(5)
    /// After that many bytes in one turn the loop sees to others first, and the receiver gets what is there.
    private static let readsPerTurn = 256 << 10

    let context: CallContext
    let life = Mutex(SocketLife())
    let inbox: Mutex<Inbox>
    let outbox: Mutex<Outbox>
    let pings = Mutex(Pings())
    private let connectTimeout: Duration?

    // The loop's own.
    private var handshake: ClientHandshake?
    private var decoder: MessageDecoder
    private var closing = ClosingStateMachine()
    private var events: [WebSocketEvent] = []
    private var batch: [WebSocketMessage] = []
    private var batchBytes = 0
    /// Whether the kernel may hold bytes that were not read: edge-triggered, it does not say so again.
    private var mayRead = false

    init(
        request: WebSocketRequest, handshake: ClientHandshake, context: CallContext, limits: SocketLimits
    ) {
        self.context = context
        self.handshake = handshake
        connectTimeout = request.connectTimeout
        inbox = Mutex(Inbox(limit: limits.inboxBytes))
        outbox = Mutex(Outbox(limit: limits.sendBufferBytes, random: context.environment.random))
        decoder = MessageDecoder(role: .client, maximumMessageBytes: max(0, request.maximumMessageBytes))
    }

    // MARK: ByteStreamHandler

    func streamIsOpen(_ stream: ByteStream) {
        guard let handshake, !life.withLock({ $0.isCancelled }) else {
            stopOpening(stream, with: cancelled())
            return
        }
        outbox.withLock { $0.open(stream, handshake: handshake.requestBytes) }
        flush(stream)
    }

    func streamIsReadable(_ stream: ByteStream, isEnding: Bool) {
        mayRead = true
        read(stream, isEnding: isEnding)
        endAfterWriteFailure(stream)
    }

    func streamIsWritable(_ stream: ByteStream) {
        flush(stream, becameWritable: true)
        endAfterWriteFailure(stream)
    }

    func streamWasSignalled(_ stream: ByteStream) {
        if life.withLock({ $0.isCancelled }) {
            stopOpening(stream, with: cancelled())
            return
        }
        flush(stream)
        guard !stream.isClosed else { return }
        let (request, isAbandoned) = outbox.withLock { ($0.closeRequest, $0.isAbandoned) }
        if isAbandoned {
            stream.close()
            return
        }
        if let request { perform(closing.closeRequested(request), stream) }
        if mayRead, !stream.isClosed { read(stream, isEnding: false) }
        endAfterWriteFailure(stream)
    }

    func streamDeadlinePassed(_ stream: ByteStream) {
        if handshake != nil {
            let limit = connectTimeout.map { $0.seconds(places: 3) } ?? "?"
            let what = stream.isOpen ? "no answer to the opening handshake" : "no connection"
            stopOpening(
                stream,
                with: context.error(.timeout, phase: stream.phase, message: "\(what) within \(limit) s"))
        } else {
            perform(closing.deadlinePassed(), stream)
        }
    }

    func streamWillClose(_ stream: ByteStream) {
        for waiter in outbox.withLock({ $0.close() }) { waiter.resume() }
        end(lost("the connection was dropped here"))
        for waiter in life.withLock({ $0.end() }) { waiter.resume() }
    }

    func streamDidFail(_ stream: ByteStream, _ error: NetError) {
        finishOpening(.failure(error))
        end(error)
        streamWillClose(stream)
    }

    // MARK: Opening

    private func finishOpening(_ result: Result<OpenedSocket, NetError>) {
        handshake = nil
        life.withLock { $0.finishOpening(result) }?.resume()
    }

    private func stopOpening(_ stream: ByteStream, with error: NetError) {
        finishOpening(.failure(error))
        stream.close()
    }

    private func cancelled() -> NetError {
        context.error(.cancelled, phase: .connecting, message: "opening the WebSocket was cancelled")
    }

    /// Bytes of the server's answer to the opening handshake; false when the connection has ended with them.
    private func receiveHandshake(_ bytes: UnsafeRawBufferPointer, _ stream: ByteStream) -> Bool {
        do throws(WebSocketViolation) {
            switch try handshake?.receive(bytes) {
            case .needsMore, nil:
                return true
            case .refused(let head, let body):
                let response = NetError.FailedResponse(head: head, body: body)
                stopOpening(
                    stream,
                    with: context.error(
                        .unacceptableStatus, phase: .waiting,
                        message: "the server answered \(head.status.code) instead of opening a WebSocket",
                        response: response))
                return false
            case .accepted(let head, let subprotocol, let consumed):
                // The frames that came with the answer lie in the buffer that the decoder reads into next.
                let rest = Bytes(bytes[consumed...])
                stream.setDeadline(after: nil)
                outbox.withLock { $0.startAccepting() }
                finishOpening(.success(OpenedSocket(response: head, subprotocol: subprotocol)))
                return receiveFrames(stream, .copied(rest))
            }
        } catch {
            stopOpening(
                stream,
                with: context.error(
                    .protocolViolation, phase: .waiting,
                    message: "the answer to the opening handshake is not valid: \(error.message)"))
            return false
        }
    }

    // MARK: Reading

    /// Reads until the kernel has no more, the inbox is full, or others should have their turn.
    private func read(_ stream: ByteStream, isEnding: Bool) {
        var count = 0
        while !stream.isClosed {
            if inbox.withLock({ $0.pausesReading() }), closing.takesMessages { return }
            let buffer = decoder.readBuffer()
            switch stream.read(into: buffer) {
            case .bytes(let size):
                guard take(size, of: buffer, stream) else { return }
                count += size
                if size < buffer.count, stream.isWritableAnywhere, !isEnding {
                    // A short read of a plain socket has emptied it; a call that only says so is saved.
                    mayRead = false
                    deliver()
                    return
                }
                if count >= Self.readsPerTurn {
                    deliver()
                    stream.signal()
                    return
                }
            case .wouldBlock:
                mayRead = false
                deliver()
                return
            case .end: ended("the server closed the connection", stream)
            case .failed(let text): ended("the connection broke: \(text)", stream)
            }
        }
    }

    private func take(_ size: Int, of buffer: UnsafeMutableRawBufferPointer, _ stream: ByteStream) -> Bool {
        if handshake != nil { return receiveHandshake(UnsafeRawBufferPointer(rebasing: buffer[..<size]), stream) }
        return receiveFrames(stream, .inPlace(size))
    }

    /// Runs the decoder and handles what it found; false when the connection has been dropped.
    private func receiveFrames(_ stream: ByteStream, _ input: Input) -> Bool {
        var violation: WebSocketViolation?
        do throws(WebSocketViolation) {
            switch input {
            case .inPlace(let count): try decoder.didRead(count, into: &events)
            case .copied(let bytes): try receive(bytes)
            }
        } catch {
            violation = error
        }
        var close: (WebSocketCloseCode, String)?
        var answers = false
        let clock = context.environment.clock
        for event in events {
            switch event {
            case .message(let message):
                guard closing.takesMessages else { continue }
                batchBytes += message.count
                batch.append(message)
            case .ping(let payload):
                outbox.withLock { $0.appendPong(payload) }
                answers = true
            case .pong(let payload): pings.withLock { $0.answer(payload, now: clock.now()) }?.resume()
            case .close(let code, let reason): close = (code, reason)
            }
        }
        events.removeAll(keepingCapacity: true)
        if answers { flush(stream) }
        if close != nil || violation != nil { deliver() }
        if let (code, reason) = close { perform(closing.receivedClose(code, reason: reason), stream) }
        if let violation { perform(closing.violated(violation), stream) }
        return !stream.isClosed
    }

    private func receive(_ bytes: Bytes) throws(WebSocketViolation) {
        try bytes.withUnsafeBytes { bytes throws(WebSocketViolation) in try decoder.receive(bytes, into: &events) }
    }

    private func deliver() {
        guard !batch.isEmpty else { return }
        let receiver = inbox.withLock { $0.append(&batch, bytes: batchBytes) }
        batchBytes = 0
        outbox.withLock { $0.grantReplyCredit() }
        receiver?.resume()
    }

    private func ended(_ message: String, _ stream: ByteStream) {
        deliver()
        if handshake != nil {
            stopOpening(
                stream,
                with: context.error(
                    .connectionLost, phase: .waiting, message: "\(message) before it answered the opening handshake"))
        } else {
            perform(closing.transportEnded(decoder.isMidMessage ? "\(message) inside a message" : message), stream)
        }
    }

    // MARK: Writing and closing

    private func flush(_ stream: ByteStream, becameWritable: Bool = false) {
        for waiter in outbox.withLock({ $0.flush(becameWritable: becameWritable) }) { waiter.resume() }
    }

    /// A write failed: what the peer sent before it went away is read first, then the connection is over.
    private func endAfterWriteFailure(_ stream: ByteStream) {
        guard !stream.isClosed, let failure = outbox.withLock({ $0.writeFailure }) else { return }
        mayRead = true
        read(stream, isEnding: true)
        let isPaused = inbox.withLock { $0.isReadingPaused }
        if !stream.isClosed, !isPaused { ended("the connection broke: \(failure)", stream) }
    }

    private func perform(_ action: ClosingStateMachine.Action, _ stream: ByteStream) {
        if let frame = action.closeFrame {
            outbox.withLock { $0.appendClose(frame) }
            stream.setDeadline(after: Self.closeTimeout)
            flush(stream)
        }
        switch action.ending {
        case .closed(let closure):
            let who = closure.isByPeer ? "by the server" : "here"
            end(
                context.error(
                    .webSocketClosed, phase: .receiving, message: "the WebSocket was closed \(who): \(closure)",
                    closure: closure))
        case .violated(let violation):
            end(
                context.error(
                    violation.code == .messageTooBig ? .bodyTooLarge : .protocolViolation, phase: .receiving,
                    message: violation.message,
                    closure: WebSocketClosure(code: violation.code, reason: violation.message, isByPeer: false)))
        case .lost(let message): end(lost(message))
        case nil: break
        }
        if action.drops { stream.close() }
    }

    private func lost(_ message: String) -> NetError {
        context.error(
            .connectionLost, phase: .receiving, message: "\(message), without a closing handshake",
            closure: WebSocketClosure(code: .abnormalClosure, isByPeer: true))
    }

    /// Tells the receiver how the connection ended, once.
    private func end(_ error: NetError) {
        inbox.withLock { $0.end(error) }?.resume()
        for waiter in pings.withLock({ $0.fail(error) }) { waiter.resume() }
    }
}
#endif
