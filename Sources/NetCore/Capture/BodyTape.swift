internal import HTTPTypes
internal import Synchronization

/// The beginning of a body that passes through, up to a limit, and the number of bytes that passed.
final class BodyTape: Sendable {
    private struct State {
        /// Copied bytes, since a slice would keep the transport's whole buffer alive.
        var bytes: [UInt8] = []
        /// The kept bytes of a body that was appended in one piece.
        var whole: Bytes?
        /// The ends of the pieces of a stream, and the pauses before them.
        var pieces: [(end: Int, delay: Duration)] = []
        var count: Int64 = 0
        var isCut = false
        var last = Duration.zero
        /// True while more bytes are expected.
        var isOpen = false
        /// True after the recording has stopped.
        var isFrozen = false
        /// The path of the file that is the body.
        var file: String?
    }

    private let limit: Int
    /// The clock for a stream whose pauses are kept; nil for any other body.
    private let clock: NetClock?
    /// Called with the size of each chunk of a stream; nil if unused.
    private let onChunk: AttemptTape.ChunkHook?
    private let isOfRequest: Bool
    private let state: Mutex<State>

    /// Creates a tape that keeps at most `limit` bytes.
    ///
    /// - Parameters:
    ///   - clock: The clock for the pauses between the pieces. Default nil: pauses aren't kept.
    ///   - isOfRequest: True for the body of a request; passed to the hook. Default false.
    ///   - onChunk: Called with the size of each chunk of a stream. Default nil.
    init(
        limit: Int, timedBy clock: NetClock? = nil, isOfRequest: Bool = false, onChunk: AttemptTape.ChunkHook? = nil
    ) {
        self.limit = max(0, limit)
        self.isOfRequest = isOfRequest
        self.onChunk = onChunk
        self.clock = clock
        state = Mutex(State(last: clock?.now() ?? .zero))
    }

    /// The number of bytes that passed through.
    var count: Int64 { state.withLock { $0.count } }

    /// The number of bytes kept.
    var keptCount: Int { state.withLock { $0.whole?.count ?? $0.bytes.count } }

    /// Starts over, since the body of a request may be sent more than once.
    func start() {
        state.withLock { state in
            if !state.isFrozen { state = State(last: clock?.now() ?? .zero, isOpen: true) }
        }
    }

    /// Records that the body is a whole file.
    func note(file: String) { state.withLock { $0.file = file } }

    /// Records that no more bytes follow.
    func end() {
        state.withLock { state in
            if !state.isFrozen { state.isOpen = false }
        }
    }

    /// Ignores all further bytes.
    func freeze() { state.withLock { $0.isFrozen = true } }

    func append(_ chunk: Bytes) {
        onChunk?(isOfRequest, chunk.count)
        let now = clock?.now()
        state.withLock { state in
            guard !state.isFrozen else { return }
            let room = min(chunk.count, limit - state.bytes.count)
            if room < chunk.count { state.isCut = true }
            if room > 0 {
                chunk.withUnsafeBytes { state.bytes.append(contentsOf: $0.prefix(room)) }
                if let now { add(to: &state, until: now) }
            }
            state.count += Int64(chunk.count)
            state.last = now ?? .zero
        }
    }

    /// Records a piece. A stream of many tiny pieces must not take much more memory than its bytes: beyond one piece
    /// for each 16 bytes of the limit, pieces are joined.
    private func add(to state: inout State, until now: Duration) {
        if state.pieces.count >= max(64, limit / 16) {
            state.pieces[state.pieces.count - 1].end = state.bytes.count
        } else {
            state.pieces.append((state.bytes.count, now - state.last))
        }
    }

    /// Appends a body in one piece.
    ///
    /// - Parameter total: The size of the body, if the bytes are only its beginning.
    func append(whole bytes: Bytes, of total: Int64? = nil) {
        state.withLock { state in
            state.count = total ?? Int64(bytes.count)
            state.isCut = state.count > Int64(min(bytes.count, limit))
            let kept = min(bytes.count, limit)
            if kept == bytes.count, bytes.storage.capacity <= max(2 * kept, 256) {
                state.whole = bytes
            } else if kept > 0 {
                state.whole = bytes.withUnsafeBytes { Bytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<kept])) }
            }
        }
    }

    /// Returns the body recorded so far.
    func body(failure: NetError? = nil) -> CapturedBody {
        let state = state.withLock { $0 }
        var body = CapturedBody(
            pieces: [], isCut: state.isCut || state.isOpen, failure: failure.map { CapturedExchange.Failure($0) },
            passed: state.count)
        body.file = state.file
        let bytes = state.whole ?? Bytes(state.bytes)
        var start = 0
        for piece in state.pieces {
            body.pieces.append(.init(bytes[start..<piece.end], after: piece.delay))
            start = piece.end
        }
        if start < bytes.count { body.pieces.append(.init(bytes[start..<bytes.count])) }
        return body
    }
}

/// A source that copies the bytes its reader takes to a tape, and reports the end of the body once. It doesn't read
/// ahead.
final class TapedBodySource: BodySource {
    private let inner: ResponseBody
    private let tape: BodyTape
    private let end: @Sendable (NetError?) -> Void
    private let hasEnded = Atomic(false)

    init(_ inner: ResponseBody, tape: BodyTape, end: @escaping @Sendable (NetError?) -> Void) {
        self.inner = inner
        self.tape = tape
        self.end = end
    }

    /// The failure of a body that its reader abandoned; the rest of the body is unknown.
    static let left = NetError(.cancelled, phase: .receiving, message: "the reader stopped reading the body here")

    deinit { cancel() }

    var metrics: TransferMetrics? { inner.metrics }
    var trailers: HTTPFields? { inner.trailers }

    func next() async throws(NetError) -> Bytes? {
        do {
            var iterator = inner.makeAsyncIterator()
            guard let bytes = try await iterator.next() else {
                finish(nil)
                return nil
            }
            tape.append(bytes)
            return bytes
        } catch {
            finish(error.isCancellation ? Self.left : error)
            throw error
        }
    }

    func cancel() {
        inner.cancel()
        finish(Self.left)
    }

    /// Ends the body because its reader doesn't need the rest.
    func leave() {
        finish(Self.left)
        inner.finish()
    }

    /// Returns the error with the details of the call.
    func filled(_ error: NetError) -> NetError { inner.filled(error) }

    private func finish(_ error: NetError?) {
        if !hasEnded.exchange(true, ordering: .relaxed) { end(error) }
    }
}
