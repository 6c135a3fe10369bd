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
/// variables are used only on the loop's thread, or set before the connection is returned.
final class SocketDriver: ByteStreamHandler, @unchecked Sendable {
    /// Bytes of frames: those in the decoder's own buffer, or others.
    enum Input {
        case inPlace(Int)
        case copied(Bytes)
    }

    /// The time limit of the closing handshake.
    static let closeTimeout = Duration.seconds(5)
    /// The time in which the receiver may send its replies before the close frame is sent.
    static let answerTimeout = Duration.seconds(1)
    /// The time limit for receiving the body of a refusal.
    static let refusalTimeout = Duration.seconds(1)
    /// The number of bytes after which a turn ends: the receiver gets the messages read so far, and the loop first
    /// serves other connections.
    static let readsPerTurn = 256 << 10
    /// The name of the peer in error messages.
    static let peer = "the server"

    let origin: SocketOrigin
    let memory: SocketMemory
    let life = Mutex(SocketLife())
    let inbox: Mutex<Inbox>
    let outbox: Mutex<SendBuffer>
    let pings = Mutex(Pings())
    /// The time at which the last byte arrived, on the loop's clock, in nanoseconds.
    let lastByte = Atomic<Int64>(0)
    /// Set before the connection is returned to the caller, and not changed afterward; nil if there are no listeners.
    private(set) var recorder: SocketRecorder?

    // Used only on the loop's thread.
    var opening: OpeningHandshake?
    var decoder: MessageDecoder
    var closing = ClosingStateMachine()
    var watch: LivenessWatch?
    /// The end that the receiver doesn't know of yet, because it still has messages to reply to.
    var held: HeldEnd?
    var batchBytes = 0
    /// True if the kernel may hold unread bytes. Its notifications are edge-triggered, so it doesn't report them again.
    var mayRead = false
    /// True if the end of the peer's data follows those bytes, which is also reported only once.
    var isEnding = false

    init(
        _ options: WebSocketOptions, handshake: ClientHandshake, context: CallContext, limits: SocketLimits,
        memory: SocketMemory
    ) {
        origin = SocketOrigin(context)
        opening = OpeningHandshake(handshake, context: context, options: options)
        self.memory = memory
        inbox = Mutex(Inbox(limit: limits.inboxBytes))
        outbox = Mutex(
            SendBuffer(limit: limits.sendBufferBytes, random: context.environment.random, spare: memory.spare))
        decoder = MessageDecoder(
            role: .client, maximumMessageBytes: max(0, options.maximumMessageBytes), blocks: memory.block)
    }

    // MARK: ByteStreamHandler

    func streamIsOpen(_ stream: ByteStream) {
        guard let opening, !life.withLock({ $0.isCancelled }) else {
            stopOpening(stream, with: cancelled(stream))
            return
        }
        outbox.withLock { $0.open(stream, handshake: opening.machine.requestBytes) }
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
        if isAbandoned, request == nil {
            stream.close()
            return
        }
        if request != nil, held != nil { endHeld(stream) }
        if let request { perform(closing.closeRequested(request), stream) }
        if isAbandoned {
            // The closing handshake has no more time: the caller that waited for it was cancelled.
            if !stream.isClosed { perform(closing.deadlinePassed(), stream) }
            return
        }
        if held != nil { endIfAnswered(stream) }
        if mayRead, !stream.isClosed { read(stream) }
        endAfterWriteFailure(stream)
    }

    func streamDeadlinePassed(_ stream: ByteStream) {
        if let opening {
            if opening.machine.isRefused { return finishRefusal(stream) }
            let limit = opening.context.timeouts.connect.map { $0.seconds(places: 3) } ?? "?"
            let what = stream.isOpen ? "no response to the opening handshake" : "no connection"
            stopOpening(
                stream,
                with: origin.error(.timeout, phase: stream.phase, message: "\(what) within \(limit) s"))
        } else if held != nil {
            endHeld(stream)
        } else if closing.takesMessages {
            checkLiveness(stream)
        } else {
            perform(closing.deadlinePassed(), stream)
        }
    }

    func streamWillClose(_ stream: ByteStream) {
        for waiter in outbox.withLock({ $0.close() }) { waiter.resume() }
        end(stream.failure.map(origin.completing) ?? origin.lost("the connection was dropped here"))
        for waiter in life.withLock({ $0.end() }) { waiter.resume() }
    }

    func streamDidFail(_ stream: ByteStream, _ error: NetError) {
        let error = origin.completing(error)
        finishOpening(.failure(error))
        end(error)
        streamWillClose(stream)
    }

    // MARK: Opening

    private func finishOpening(_ result: Result<SocketOpening, NetError>) {
        opening = nil
        life.withLock { $0.finishOpening(result) }?.resume()
    }

    func stopOpening(_ stream: ByteStream, with error: NetError) {
        finishOpening(.failure(error))
        stream.close()
    }

    /// Finishes opening with the refusal. Its body is complete or has taken too long.
    func finishRefusal(_ stream: ByteStream) {
        if case .refused(let head, let body) = opening?.machine.end() {
            finishOpening(.success(.refused(head, body: body)))
        }
        stream.close()
    }

    private func cancelled(_ stream: ByteStream) -> NetError {
        origin.error(.cancelled, phase: stream.phase, message: "opening the WebSocket was cancelled")
    }

    /// Handles the server's acceptance, and releases everything that only the opening needed.
    private func accept(_ socket: OpenedSocket, _ stream: ByteStream) {
        stream.setDeadline(after: nil)
        if let compression = socket.compression { decoder.startInflating(compression, pool: memory.pool) }
        outbox.withLock { $0.startAccepting(socket.compression, memory.pool) }
        beginRecording(socket, stream)
        if let liveness = opening?.liveness { beginWatch(liveness, stream) }
        stream.forgetContext()
        finishOpening(.success(.opened(socket)))
    }

    private func beginRecording(_ socket: OpenedSocket, _ stream: ByteStream) {
        recorder = opening?.context.makeSocketRecorder()
        // A subprotocol that contains a secret isn't shown.
        let secret = opening?.secretSubprotocol
        recorder?.opened(
            SocketEvent.Opening(
                subprotocol: socket.subprotocol == secret ? nil : socket.subprotocol, compression: socket.compression,
                address: stream.peerAddress))
    }

    /// Handles bytes of the server's response to the opening handshake. Returns false if the connection has ended with
    /// them.
    func receiveHandshake(_ bytes: UnsafeRawBufferPointer, _ stream: ByteStream) -> Bool {
        let wasRefused = opening?.machine.isRefused == true
        do throws(WebSocketViolation) {
            switch try opening?.machine.receive(bytes) {
            case .needsMore, nil:
                if !wasRefused, opening?.machine.isRefused == true { stream.setDeadline(after: Self.refusalTimeout) }
                return true
            case .refused(let head, let body):
                finishOpening(.success(.refused(head, body: body)))
                stream.close()
                return false
            case .accepted(let head, let subprotocol, let compression, let consumed):
                // Copied, because frames that came with the response are in the buffer that the decoder reads into
                // next.
                let rest = Bytes(bytes[consumed...])
                accept(OpenedSocket(response: head, subprotocol: subprotocol, compression: compression), stream)
                return receiveFrames(stream, .copied(rest))
            }
        } catch {
            stopOpening(
                stream,
                with: origin.error(
                    .protocolViolation, phase: .waiting,
                    message: "the response to the opening handshake is not valid: \(error.message)"))
            return false
        }
    }
}
#endif
