#if os(Linux)
internal import NetCore
internal import NetCurl
internal import NetSocketCore

/// The outgoing frames in one buffer, which both the sending tasks and the loop write.
///
/// A sending task writes the buffer itself if that saves a hop to the loop's thread: for the first message after
/// something has arrived (the reply in a conversation), for the first message after a pause, and whenever 16 KiB are
/// buffered. In all other cases the loop writes all buffered frames with one system call, at 28 times the rate of one
/// write per message.
struct SendBuffer: ~Copyable {
    /// The number of buffered bytes from which a direct write costs less than waking the loop.
    private static let directBytes = 16 << 10
    /// The time without a write after which the next message is written immediately, in nanoseconds.
    private static let pause: UInt64 = 100_000

    enum AppendAction: Equatable {
        /// The message is in the buffer. `signals` is true if the loop must be woken to write it.
        case taken(signals: Bool)
        case full
        case ended
    }

    private let limit: Int
    private var frames: FrameBuffer
    /// The connection, from its opening handshake until it is closed.
    private var stream: ByteStream?
    /// True while messages are accepted.
    private(set) var isAccepting = false
    private var isFlushPosted = false
    /// True if the kernel has no room. The loop is notified when there is room again.
    private var isBlocked = false
    private var hasReplyCredit = true
    private var lastWrite: UInt64 = 0
    /// The payload of a pong for which there was no room. Only the newest pong counts (RFC 6455 section 5.5.3).
    private var pendingPong: Bytes?
    /// The senders that wait for room.
    var waiters = WaiterList<Void>()
    private(set) var closeRequest: WebSocketClosure?
    private(set) var isAbandoned = false
    private(set) var writeFailure: String?
    /// True while a message is being sent in parts.
    private var isInParts = false

    init(limit: Int, random: NetRandom, spare: SpareBlock) {
        self.limit = limit
        frames = FrameBuffer(role: .client, maskKeys: MaskKeys(random), spare: spare)
    }

    var isFull: Bool { frames.count >= limit }
    var isEmpty: Bool { frames.count == 0 }
    var isOpen: Bool { stream != nil }

    // MARK: Senders, on any thread

    mutating func append(_ message: WebSocketMessage, _ compression: MessageCompression) -> AppendAction {
        guard isAccepting else { return .ended }
        if isFull || isInParts { return .full }
        let wasEmpty = isEmpty
        frames.append(message, compression: compression)
        return .taken(signals: push(wasEmpty: wasEmpty))
    }

    /// Begins a message in parts: other messages wait until its last part.
    mutating func beginParts() -> AppendAction {
        guard isAccepting else { return .ended }
        if isInParts { return .full }
        isInParts = true
        return .taken(signals: false)
    }

    mutating func append(
        part: Bytes, of opcode: Opcode, isFirst: Bool, isFinal: Bool, _ compression: MessageCompression
    ) -> AppendAction {
        guard isAccepting else { return .ended }
        if isFull { return .full }
        let wasEmpty = isEmpty
        part.withUnsafeBytes {
            frames.append(part: $0, of: opcode, isFirst: isFirst, isFinal: isFinal, compression: compression)
        }
        return .taken(signals: push(wasEmpty: wasEmpty))
    }

    /// Ends a message in parts. Returns the senders that can continue.
    mutating func endParts() -> [WaiterList<Void>.Waiter] {
        isInParts = false
        return waiters.releaseAll(with: ())
    }

    /// Appends as many messages as there is room for, and returns their number. The last one may exceed the limit.
    mutating func append(_ messages: ArraySlice<WebSocketMessage>) -> (Int, AppendAction) {
        guard isAccepting else { return (0, .ended) }
        if isFull || isInParts { return (0, .full) }
        let wasEmpty = isEmpty
        let count = frames.append(messages, limit: limit)
        return (count, .taken(signals: push(wasEmpty: wasEmpty)))
    }

    mutating func appendPing(_ payload: Bytes) -> AppendAction {
        guard isAccepting else { return .ended }
        let wasEmpty = isEmpty
        payload.withUnsafeBytes { frames.append(.ping, payload: $0) }
        return .taken(signals: push(wasEmpty: wasEmpty))
    }

    /// Writes immediately if that is cheaper than waking the loop. Returns true if the loop must be woken to write.
    private mutating func push(wasEmpty: Bool) -> Bool {
        guard !isBlocked else { return false }
        // The clock is read only if it matters: during a tight loop of sends, the buffer isn't empty.
        let isDirect =
            hasReplyCredit || frames.count >= Self.directBytes
            || (wasEmpty && MonotonicClock.now() &- lastWrite > Self.pause)
        if isDirect, stream?.isWritableAnywhere == true {
            hasReplyCredit = false
            write()
            if writeFailure == nil { return false }
        }
        if isFlushPosted { return false }
        isFlushPosted = true
        return true
    }

    mutating func requestClose(_ closure: WebSocketClosure) -> Bool {
        isAccepting = false
        guard closeRequest == nil, isOpen else { return false }
        closeRequest = closure
        return true
    }

    mutating func abandon() {
        isAccepting = false
        isAbandoned = true
    }

    // MARK: The loop

    mutating func open(_ stream: ByteStream, handshake: [UInt8]) {
        self.stream = stream
        handshake.withUnsafeBytes { frames.append(raw: $0) }
    }

    mutating func stopAccepting() { isAccepting = false }

    mutating func startAccepting(_ compression: WebSocketCompression?, _ pool: DeflatePool) {
        isAccepting = !isAbandoned
        if let compression { frames.startCompressing(compression, pool: pool) }
    }

    /// Records that something has arrived: the next message is likely a reply to it.
    mutating func grantReplyCredit() { hasReplyCredit = true }

    /// Appends a probe of the liveness check, which is small and rare. Returns false if a message in parts is in the
    /// way.
    mutating func appendProbe(_ message: WebSocketMessage) -> Bool {
        guard isAccepting, !isInParts else { return false }
        frames.append(message)
        return true
    }

    mutating func appendPong(_ payload: Bytes) {
        guard isAccepting else { return }
        if isFull {
            pendingPong = payload
        } else {
            payload.withUnsafeBytes { frames.append(.pong, payload: $0) }
        }
    }

    mutating func appendClose(_ closure: WebSocketClosure) {
        isAccepting = false
        frames.appendClose(closure.code, reason: closure.reason)
    }

    /// Writes the buffered frames. Returns the senders that can continue.
    mutating func flush(becameWritable: Bool = false) -> [WaiterList<Void>.Waiter] {
        if becameWritable { isBlocked = false } else { isFlushPosted = false }
        if !isBlocked, !isEmpty { write() }
        if let pong = pendingPong, !isFull {
            pendingPong = nil
            appendPong(pong)
            if !isBlocked { write() }
        }
        guard frames.count <= limit / 2 || !isAccepting else { return [] }
        return waiters.releaseAll(with: ())
    }

    private mutating func write() {
        guard let stream else { return }
        lastWrite = MonotonicClock.now()
        while frames.count > 0, writeFailure == nil {
            switch frames.withPending({ stream.write($0) }) {
            case .bytes(let count): frames.consume(count)
            case .wouldBlock:
                isBlocked = true
                return
            case .failed(let text):
                writeFailure = text
                frames.consume(frames.count)
            }
        }
    }

    /// Ends writing and drops the buffered frames. Returns the senders that were waiting for room.
    mutating func close() -> [WaiterList<Void>.Waiter] {
        isAccepting = false
        stream = nil
        frames.consume(frames.count)
        return waiters.releaseAll(with: ())
    }

    /// Registers a sender that waits for room. Returns nil if there is room, or if messages are no longer accepted.
    mutating func makeWaiter() -> WaiterList<Void>.ID? {
        isAccepting && (isFull || isInParts) ? waiters.register() : nil
    }
}
#endif
