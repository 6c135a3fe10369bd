internal import NetCore
internal import NetRecord
internal import Synchronization

/// Sends requests over a real transport and keeps the redacted exchanges: the part that recording and replaying share.
final class Recorder: Sendable {
    private struct State {
        var next = 0
        /// Exchanges with this number or a lower one were discarded by ``reset()``.
        var forgotten = 0
        var exchanges: [Int: CapturedExchange] = [:]
        /// Open WebSockets.
        var open: [Int: @Sendable () -> CapturedExchange] = [:]
    }

    let redaction: RedactionPolicy
    private let maximumBodyBytes: Int
    private let state = Mutex(State())

    init(redaction: RedactionPolicy, maximumBodyBytes: Int) {
        // Marks depend on their key, which isn't stored in the file.
        self.redaction = redaction.withoutMarks
        self.maximumBodyBytes = max(0, maximumBodyBytes)
    }

    /// The finished exchanges, and the open WebSockets up to now, in the order in which their requests were sent.
    var exchanges: [CapturedExchange] {
        let (finished, open) = state.withLock { ($0.exchanges, $0.open) }
        return finished.merging(open.mapValues { $0() }) { finished, _ in finished }
            .sorted { $0.key < $1.key }.map(\.value)
    }

    /// Discards all recordings, including those in progress.
    func reset() {
        state.withLock { state in
            state.exchanges = [:]
            state.open = [:]
            state.forgotten = state.next
        }
    }

    func execute(
        _ request: PreparedRequest, context: CallContext, over transport: any HTTPTransport
    ) async throws(NetError) -> StreamedResponse {
        let tape = makeTape(request, context)
        do {
            return tape.taped(try await transport.execute(tape.taped(request), context: context))
        } catch {
            if !error.isCancellation { tape.failed(error) }
            throw error
        }
    }

    func connect(
        _ request: PreparedRequest, context: CallContext, over transport: any WebSocketTransport
    ) async throws(NetError) -> WebSocketOpening {
        let id = begin()
        let tape = makeTape(request, context, id)
        do {
            switch try await transport.connect(request, context: context) {
            case .opened(let link): return .opened(taped(link, tape, id, context.environment.clock))
            case .refused(let response): return .refused(tape.taped(response))
            }
        } catch {
            if !error.isCancellation { tape.failed(error) }
            throw error
        }
    }

    private func makeTape(_ request: PreparedRequest, _ context: CallContext, _ id: Int? = nil) -> AttemptTape {
        let id = id ?? begin()
        return AttemptTape(
            request, context, limits: CaptureLimits(bodyBytes: maximumBodyBytes, mediaTypes: ["*/*"])
        ) { [self] recording in
            finish(id, recording.redacted(by: redaction))
        }
    }

    /// Wraps a WebSocket so that it is recorded on a tape.
    private func taped(
        _ link: any WebSocketLink, _ handshake: AttemptTape, _ id: Int, _ clock: NetClock
    ) -> any WebSocketLink {
        let duration = handshake.elapsed
        let (head, tape) = (link.response, SocketTape(limit: maximumBodyBytes, clock: clock))
        let exchange = { @Sendable [redaction] in
            let response = CapturedExchange.Response(
                status: head.status, version: head.version, headers: head.headers, socket: tape.socket)
            return handshake.exchange(.response(response), after: duration, redactedBy: redaction)
        }
        open(id, exchange)
        return RecordingLink(link, tape: tape) { [self] in finish(id, exchange()) }
    }

    private func begin() -> Int {
        state.withLock { state in
            state.next += 1
            return state.next
        }
    }

    private func finish(_ id: Int, _ exchange: CapturedExchange) {
        state.withLock { state in
            state.open[id] = nil
            if id > state.forgotten { state.exchanges[id] = exchange }
        }
    }

    private func open(_ id: Int, _ exchange: @escaping @Sendable () -> CapturedExchange) {
        state.withLock { state in
            if id > state.forgotten { state.open[id] = exchange }
        }
    }
}
