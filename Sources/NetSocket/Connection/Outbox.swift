#if os(Linux)
internal import NetCore
internal import NetCurl
internal import NetSocketCore

/// What goes out: frames in one buffer, written by whoever has reason to.
///
/// A task that sends writes itself where that saves a hop to the loop's thread: the first message after something arrived
/// (the answer of a conversation), the first after a pause, and whenever 16 KiB wait. Everything else is left to the loop,
/// which writes all that has gathered with one system call: 28 times the rate of a write for each message.
struct Outbox: ~Copyable {
    /// A direct write of that much costs less than waking the loop.
    private static let directBytes = 16 << 10
    /// Silence after which the next message is written at once, in nanoseconds.
    private static let pause: UInt64 = 100_000

    enum AppendAction: Equatable {
        /// Taken; whether the loop must be woken to write.
        case taken(signals: Bool)
        case full
        case ended
    }

    private let limit: Int
    private var frames: FrameBuffer
    /// The connection, from its opening handshake until it is closed.
    private var stream: ByteStream?
    /// Whether messages are taken.
    private(set) var isAccepting = false
    private var isFlushPosted = false
    /// Whether the kernel has no room; the loop hears when it has again.
    private var isBlocked = false
    private var hasReplyCredit = true
    private var lastWrite: UInt64 = 0
    /// The answer to a ping for which there was no room; only the newest counts (RFC 6455 section 5.5.3).
    private var pendingPong: Bytes?
    /// Senders that wait for room.
    var waiters = WaiterList<Void>()
    private(set) var closeRequest: WebSocketClosure?
    private(set) var isAbandoned = false
    private(set) var writeFailure: String?

    init(limit: Int, random: NetRandom) {
        self.limit = limit
        frames = FrameBuffer(role: .client, maskKeys: MaskKeys(random))
    }

    var isFull: Bool { frames.count >= limit }
    var isEmpty: Bool { frames.count == 0 }
    var isOpen: Bool { stream != nil }

    // MARK: Senders, on any thread

    mutating func append(_ message: WebSocketMessage) -> AppendAction {
        guard isAccepting else { return .ended }
        if isFull { return .full }
        let wasEmpty = isEmpty
        frames.append(message)
        return .taken(signals: push(wasEmpty: wasEmpty))
    }

    /// Appends as many messages as there is room for, and says how many; the last may go past the limit.
    mutating func append(_ messages: ArraySlice<WebSocketMessage>) -> (Int, AppendAction) {
        guard isAccepting else { return (0, .ended) }
        if isFull { return (0, .full) }
        let wasEmpty = isEmpty
        let count = frames.append(messages, limit: limit)
        return (count, .taken(signals: push(wasEmpty: wasEmpty)))
    }

    mutating func appendPing(_ payload: UnsafeRawBufferPointer) -> AppendAction {
        guard isAccepting else { return .ended }
        let wasEmpty = isEmpty
        frames.append(.ping, payload: payload)
        return .taken(signals: push(wasEmpty: wasEmpty))
    }

    /// Writes at once where that is cheaper, and says whether the loop must.
    private mutating func push(wasEmpty: Bool) -> Bool {
        guard !isBlocked else { return false }
        // The clock is asked only where it matters: in a tight loop of sends something waits already.
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

    mutating func startAccepting() { isAccepting = !isAbandoned }

    /// Something arrived: the next message is likely an answer to it.
    mutating func grantReplyCredit() { hasReplyCredit = true }

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

    /// Writes what waits, and returns who may go on sending.
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

    /// Nothing more can be written.
    mutating func close() -> [WaiterList<Void>.Waiter] {
        isAccepting = false
        stream = nil
        frames.consume(frames.count)
        return waiters.releaseAll(with: ())
    }

    /// Registers a sender that waits; nil if there is room, or an end.
    mutating func makeWaiter() -> WaiterList<Void>.ID? { isAccepting && isFull ? waiters.register() : nil }
}
#endif
