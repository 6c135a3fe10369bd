internal import HTTPTypes
internal import NetCore
internal import NetRecord
internal import Synchronization

/// What has passed of a body, up to a limit, with the pauses between its pieces.
final class BodyTape: Sendable {
    private struct State {
        var body = RecordedBody()
        var count = 0
        var last: Duration
        /// Whether more is to come.
        var isOpen = false
    }

    private let limit: Int
    private let clock: NetClock
    private let state: Mutex<State>

    init(limit: Int, clock: NetClock) {
        self.limit = limit
        self.clock = clock
        state = Mutex(State(last: clock.now()))
    }

    /// How many bytes are on it.
    var count: Int { state.withLock { $0.count } }

    /// Begins anew: a request's body may be sent more than once.
    func start() {
        state.withLock { $0 = State(last: clock.now(), isOpen: true) }
    }

    /// Nothing more comes.
    func end() {
        state.withLock { $0.isOpen = false }
    }

    func append(_ bytes: Bytes) {
        let now = clock.now()
        state.withLock { state in
            let kept = min(bytes.count, limit - state.count)
            if kept < bytes.count { state.body.isCut = true }
            // A copy: a slice would keep the transport's whole buffer alive.
            if kept > 0 { state.body.pieces.append(.init(Bytes(Array(bytes[0..<kept])), after: now - state.last)) }
            state.count += kept
            state.last = now
        }
    }

    /// What is there now; without its timing it is one piece.
    func body(isTimed: Bool, failure: NetError? = nil) -> RecordedBody {
        var (body, isOpen) = state.withLock { ($0.body, $0.isOpen) }
        if isOpen { body.isCut = true }
        if !isTimed, !body.pieces.isEmpty { body.pieces = [.init(body.bytes)] }
        body.failure = failure.map { .init(code: $0.code.rawValue, message: $0.message) }
        return body
    }
}

/// A source that writes on a tape what the reader takes, and tells once how the body ended.
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

    /// How a body ended that its reader left: what comes after is not known.
    static let left = NetError(.cancelled, phase: .receiving, message: "the reader left the body here")

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

    private func finish(_ error: NetError?) {
        if !hasEnded.exchange(true, ordering: .relaxed) { end(error) }
    }
}
