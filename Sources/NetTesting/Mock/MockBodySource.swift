internal import HTTPTypes
internal import NetCore
internal import Synchronization

/// A stub's body on its way to the reader: pulled piece by piece, with its pauses, timeouts and drop.
final class MockBodySource: BodySource {
    private static let pieceBytes = 64 << 10

    private struct State {
        var opened: StubBody.Opened?
        /// The rest of the current chunk.
        var rest = Bytes()
        var handedOut: Int64 = 0
        var isCancelled = false
        var step: Task<Result<Bytes?, NetError>, Never>?
        var metrics: TransferMetrics?
    }

    private let state: Mutex<State>
    private let response: StubResponse
    private let promised: Int64?
    /// The maximum number of body bytes that the fault allows.
    private let limit: Int64
    private let requestBytes: Int64
    private let progress: MockProgress?
    private let context: CallContext

    init(
        _ opened: StubBody.Opened, response: StubResponse, promised: String?, requestBytes: Int64,
        progress: MockProgress?, context: CallContext
    ) {
        limit = response.fault?.bodyLimit(of: opened.length) ?? .max
        state = Mutex(State(opened: opened))
        self.response = response
        self.promised = promised.flatMap { Int64($0) }
        self.requestBytes = requestBytes
        self.progress = progress
        self.context = context
    }

    deinit { cancel() }

    var metrics: TransferMetrics? { state.withLock { $0.metrics } }
    var trailers: HTTPFields? { metrics == nil ? nil : response.trailers }

    func cancel() {
        progress?.close()
        let (step, opened) = state.withLock { state in
            state.isCancelled = true
            return (state.step.take(), state.opened.take())
        }
        step?.cancel()
        if case .stream(_, let body)? = opened { body.cancel() }
    }

    func next() async throws(NetError) -> Bytes? {
        let task = Task { [self] () async -> Result<Bytes?, NetError> in
            do throws(NetError) { return .success(try await step()) } catch { return .failure(error) }
        }
        let isCancelled = state.withLock { state in
            state.step = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        state.withLock { $0.step = nil }
        return try result.get()
    }

    /// Returns the next piece, nil at the end, or throws the body's error.
    private func step() async throws(NetError) -> Bytes? {
        do throws(NetError) {
            reportProgress()
            let piece = try await readStep()
            reportProgress(isAll: piece == nil)
            return piece
        } catch {
            progress?.close()
            throw error
        }
    }

    private func reportProgress(isAll: Bool = false) {
        guard let progress else { return }
        progress.received(state.withLock { $0.handedOut }, of: promised, isAll: isAll)
    }

    private func readStep() async throws(NetError) -> Bytes? {
        do {
            if state.withLock({ $0.isCancelled }) { throw CancellationError() }
            try Task.checkCancellation()
            if state.withLock({ $0.handedOut }) < limit, let piece = try await nextPiece() { return piece }
            return try await end()
        } catch let error as NetError {
            throw error.belonging(to: context.summary, elapsed: context.elapsed)
        } catch is CancellationError {
            throw context.error(.cancelled, phase: .receiving, message: "the body was cancelled before its end")
        } catch {
            throw context.error(
                .connectionLost, phase: .receiving,
                message: "the stub's body failed: \(ErrorSummary.describe(error))", underlying: error)
        }
    }

    private func nextPiece() async throws -> Bytes? {
        while state.withLock({ $0.rest.isEmpty }) {
            guard let chunk = try await nextChunk() else { return nil }
            state.withLock { $0.rest = chunk }
        }
        let pace = response.pace
        let pieceBytes = min(pace?.pieceBytes ?? Self.pieceBytes, Self.pieceBytes)
        let size = state.withLock { Int(min(Int64(min(pieceBytes, $0.rest.count)), limit - $0.handedOut)) }
        if let pace { try await pause(pace.pause(before: size)) }
        return state.withLock { state in
            let piece = state.rest[0..<size]
            state.rest = state.rest[size..<state.rest.count]
            state.handedOut += Int64(size)
            return piece
        }
    }

    private func nextChunk() async throws -> Bytes? {
        let (chunk, stream) = state.withLock { state -> (StubChunk?, ResponseBody?) in
            switch state.opened {
            case .whole(let bytes):
                state.opened = nil
                return (bytes.isEmpty ? nil : StubChunk(bytes), nil)
            case .script(let length, var iterator):
                let chunk = iterator.next()
                state.opened = chunk == nil ? nil : .script(length: length, iterator)
                return (chunk, nil)
            case .stream(_, let body): return (nil, body)
            case nil: return (nil, nil)
            }
        }
        if let chunk {
            try await pause(chunk.delay)
            return chunk.bytes
        }
        guard let stream else { return nil }
        let context = context
        return try await CancellableWork.run(within: silenceLeft, on: context.environment.clock) {
            Self.silence(context)
        } _: {
            var iterator = stream.makeAsyncIterator()
            return try await iterator.next()
        }
    }

    /// The longest wait that the stall timeout and the total timeout allow.
    private var silenceLeft: Duration? { [context.timeouts.stall, context.timeLeft].compactMap(\.self).min() }

    private func pause(_ delay: Duration) async throws {
        if context.timeLeft == .zero { throw Self.silence(context) }
        guard let limit = silenceLeft, delay > limit else {
            return try await context.environment.clock.sleep(for: delay)
        }
        try await context.environment.clock.sleep(for: limit)
        throw Self.silence(context)
    }

    private static func silence(_ context: CallContext) -> NetError {
        context.error(
            .timeout, phase: .receiving,
            message: context.timeLeft == .zero
                ? "the call did not finish in time" : "the body stalled for longer than the stall timeout")
    }

    private func end() async throws -> Bytes? {
        let count = state.withLock { $0.handedOut }
        if response.fault?.isStalling == true { try await pause(.untilGivenUp) }
        if let failure = response.fault?.failureInBody(after: count) {
            throw context.error(failure.code, phase: failure.phase, message: failure.message)
        }
        if let promised, promised > count {
            throw context.error(
                .connectionLost, phase: .receiving, message: "the body ended after \(count) of \(promised) bytes")
        }
        let metrics = TransferMetrics(
            total: context.elapsed, requestBytes: requestBytes, responseBytes: count, version: "1.1")
        state.withLock { $0.metrics = metrics }
        return nil
    }
}
