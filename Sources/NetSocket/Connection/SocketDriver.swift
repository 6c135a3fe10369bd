#if os(Linux)
internal import NetCore
internal import NetCurl
internal import NetSocketCore
internal import Synchronization

/// Drives one WebSocket over a byte stream of the loop: handshake, frames and closing. The loop holds the driver as
/// long as the connection lives; the link that users hold communicates with it through two locks, one for each
/// direction.
///
/// `@unchecked Sendable`: the constants are Sendable, the mutexes guard the state that both sides use, and the
/// variables are used only on the loop's thread.
final class SocketDriver: ByteStreamHandler, @unchecked Sendable {
    /// Bytes of frames: those in the decoder's own buffer, or others.
    enum Input {
        case inPlace(Int)
        case copied(Bytes)
    }

    /// The time limit of the closing handshake.
    static let closeTimeout = Duration.seconds(5)
    /// The time limit for receiving the body of a refusal.
    static let refusalTimeout = Duration.seconds(1)
    /// The number of bytes after which a turn ends: the receiver gets the messages read so far, and the loop serves
    /// other connections first.
    static let readsPerTurn = 256 << 10

    let context: CallContext
    let life = Mutex(SocketLife())
    let inbox: Mutex<Inbox>
    let outbox: Mutex<Outbox>
    let pings = Mutex(Pings())

    // Used only on the loop's thread.
    var handshake: ClientHandshake?
    var decoder: MessageDecoder
    var closing = ClosingStateMachine()
    var events: [WebSocketEvent] = []
    var batch: [WebSocketMessage] = []
    var batchBytes = 0
    /// True if the kernel may hold unread bytes. Its notifications are edge-triggered, so it doesn't report them again.
    var mayRead = false
    /// True if the end of the peer's data follows those bytes, which is also reported only once.
    var isEnding = false

    init(
        _ options: WebSocketOptions, handshake: ClientHandshake, context: CallContext, limits: SocketLimits
    ) {
        self.context = context
        self.handshake = handshake
        inbox = Mutex(Inbox(limit: limits.inboxBytes))
        outbox = Mutex(Outbox(limit: limits.sendBufferBytes, random: context.environment.random))
        decoder = MessageDecoder(role: .client, maximumMessageBytes: max(0, options.maximumMessageBytes))
    }

    // MARK: ByteStreamHandler

    func streamIsOpen(_ stream: ByteStream) {
        guard let handshake, !life.withLock({ $0.isCancelled }) else {
            stopOpening(stream, with: cancelled(stream))
            return
        }
        outbox.withLock { $0.open(stream, handshake: handshake.requestBytes) }
        flush(stream)
    }

    func streamIsReadable(_ stream: ByteStream, isEnding: Bool) {
        mayRead = true
        if isEnding { self.isEnding = true }
        read(stream)
    }

    func streamIsWritable(_ stream: ByteStream) {
        flush(stream, becameWritable: true)
        endAfterWriteFailure(stream)
    }

    func streamWasSignalled(_ stream: ByteStream) {
        if life.withLock({ $0.isCancelled }) {
            stopOpening(stream, with: cancelled(stream))
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
        if mayRead, !stream.isClosed { read(stream) }
        endAfterWriteFailure(stream)
    }

    func streamDeadlinePassed(_ stream: ByteStream) {
        if handshake?.isRefused == true {
            finishRefusal(stream)
        } else if handshake != nil {
            let limit = context.timeouts.connect.map { $0.seconds(places: 3) } ?? "?"
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
        end(stream.failure ?? lost("the connection was dropped here"))
        for waiter in life.withLock({ $0.end() }) { waiter.resume() }
    }

    func streamDidFail(_ stream: ByteStream, _ error: NetError) {
        finishOpening(.failure(error))
        end(error)
        streamWillClose(stream)
    }

    // MARK: Opening

    private func finishOpening(_ result: Result<SocketOpening, NetError>) {
        handshake = nil
        life.withLock { $0.finishOpening(result) }?.resume()
    }

    func stopOpening(_ stream: ByteStream, with error: NetError) {
        finishOpening(.failure(error))
        stream.close()
    }

    /// Finishes opening with the refusal, whose body is complete or has taken too long.
    func finishRefusal(_ stream: ByteStream) {
        if case .refused(let head, let body) = handshake?.end() {
            finishOpening(.success(.refused(head, body: body)))
        }
        stream.close()
    }

    private func cancelled(_ stream: ByteStream) -> NetError {
        context.error(.cancelled, phase: stream.phase, message: "opening the WebSocket was cancelled")
    }

    /// Handles bytes of the server's response to the opening handshake. Returns false if the connection has ended with
    /// them.
    func receiveHandshake(_ bytes: UnsafeRawBufferPointer, _ stream: ByteStream) -> Bool {
        let wasRefused = handshake?.isRefused == true
        do throws(WebSocketViolation) {
            switch try handshake?.receive(bytes) {
            case .needsMore, nil:
                if !wasRefused, handshake?.isRefused == true { stream.setDeadline(after: Self.refusalTimeout) }
                return true
            case .refused(let head, let body):
                finishOpening(.success(.refused(head, body: body)))
                stream.close()
                return false
            case .accepted(let head, let subprotocol, let consumed):
                // Copied, because frames that came with the response are in the buffer that the decoder reads into
                // next.
                let rest = Bytes(bytes[consumed...])
                stream.setDeadline(after: nil)
                outbox.withLock { $0.startAccepting() }
                finishOpening(.success(.opened(OpenedSocket(response: head, subprotocol: subprotocol))))
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
}
#endif
