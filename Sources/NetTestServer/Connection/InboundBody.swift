#if Server
internal import HTTPTypes
internal import NetCore
internal import NetCrypto
internal import Synchronization

/// The body of one request as a source that stubs pull from; also reports the bytes to the log.
final class InboundBody: BodySource {
    private struct State: ~Copyable {
        var hasEnded = false
        var trailers: HTTPFields?
        var refusal: Refusal?
        var isAwaitingContinue: Bool
        /// The hash of the body so far; nil while it is empty.
        var hash: RunningHash?
    }

    private let queue: InboundQueue
    private let observe: @Sendable (Observation) -> Void
    private let sendContinue: @Sendable () async -> Void
    private let state: Mutex<State>

    /// An event for the log.
    enum Observation: Sendable {
        case bytes(Bytes)
        case end(digest: String, trailers: HTTPFields?)
    }

    init(
        _ queue: InboundQueue, expectsContinue: Bool, sendContinue: @escaping @Sendable () async -> Void,
        observe: @escaping @Sendable (Observation) -> Void
    ) {
        self.queue = queue
        self.sendContinue = sendContinue
        self.observe = observe
        state = Mutex(State(isAwaitingContinue: expectsContinue))
    }

    var trailers: HTTPFields? { state.withLock { $0.trailers } }
    /// True after the whole body has been read.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }
    /// True while the client waits for permission to send the body.
    var isAwaitingContinue: Bool { state.withLock { $0.isAwaitingContinue } }
    /// The peer's violation within the body.
    var refusal: Refusal? { state.withLock { $0.refusal } }

    /// Sends `100 (Continue)` if the client is still waiting for it.
    func permit() async {
        let isAwaited = state.withLock { state in
            defer { state.isAwaitingContinue = false }
            return state.isAwaitingContinue
        }
        if isAwaited { await sendContinue() }
    }

    func next() async throws(NetError) -> Bytes? {
        if hasEnded { return nil }
        await permit()
        switch await queue.next() {
        case .body(let bytes):
            state.withLock { state in
                if state.hash == nil { state.hash = RunningHash(.sha256) }
                state.hash?.update(bytes)
            }
            observe(.bytes(bytes))
            return bytes
        case .end(let trailers):
            let digest = state.withLock { state in
                (state.hasEnded, state.trailers) = (true, trailers)
                return state.hash?.finish().hexadecimal
            }
            observe(.end(digest: digest ?? LoggedRequest.emptyBodySHA256, trailers: trailers))
            return nil
        case .refused(let refusal):
            state.withLock { $0.refusal = refusal }
            throw NetError(.protocolViolation, phase: .receiving, message: refusal.reason)
        case .head, nil:
            throw NetError(
                .connectionLost, phase: .receiving, message: "the client went away before the end of its body")
        }
    }

    /// If a stub cancels its body, the connection reads and discards the rest.
    func cancel() {}

    /// Reads and discards the rest, at most `limit` bytes. Returns false if more is left, or if the client has
    /// disconnected.
    func drain(upTo limit: Int) async -> Bool {
        var count = 0
        while count <= limit {
            guard let chunk = try? await next() else { return hasEnded }
            count += chunk.count
        }
        return false
    }
}
#endif
