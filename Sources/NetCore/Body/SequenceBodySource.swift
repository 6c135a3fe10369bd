internal import Synchronization

/// A body source over an async sequence, which pulls one chunk at a time and only on request.
///
/// The iterator runs in its own task, because it need not be `Sendable`. The two tasks exchange one chunk at a time, so
/// nothing is buffered ahead.
final class SequenceBodySource<Chunks: AsyncSequence & Sendable>: BodySource where Chunks.Element == Bytes {
    private let exchange: ChunkExchange
    private let task: Mutex<Task<Void, Never>?>
    private let phase: NetError.Phase

    /// Creates a source for a request body, or for a response body with the phase `.receiving`. Pass `use` for a
    /// sequence that can be read only once.
    init(_ chunks: Chunks, phase: NetError.Phase = .sending, use: OneTimeUse? = nil) {
        self.phase = phase
        let exchange = ChunkExchange()
        self.exchange = exchange
        task = Mutex(
            Task {
                do {
                    guard await exchange.waitForReader() else { return }
                    if let use { try use.begin(phase) }
                    for try await chunk in chunks where !chunk.isEmpty {
                        guard await exchange.offer(chunk) else { return }
                    }
                    exchange.finish(nil)
                } catch {
                    exchange.finish(
                        NetError(error)
                            ?? NetError(
                                error is CancellationError ? .cancelled : phase == .sending ? .encoding : .unknown,
                                phase: phase,
                                message: "the body's sequence failed: \(ErrorSummary.describe(error))",
                                underlying: error))
                }
            })
    }

    deinit { cancel() }

    func next() async throws(NetError) -> Bytes? {
        // A cancelled reader must not wait for a sequence that may never continue.
        let result: Result<Bytes?, NetError> = await withTaskCancellationHandler {
            do throws(NetError) { return .success(try await exchange.next()) } catch { return .failure(error) }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    func cancel() {
        task.withLock { task in
            task?.cancel()
            task = nil
        }
        exchange.cancel(
            NetError(.cancelled, phase: phase, message: "the body was cancelled or dropped before its end"))
    }
}

/// Guards a sequence that can be read only once. A second read could be empty or start in the middle, and nothing
/// else would detect it.
final class OneTimeUse: Sendable {
    private let hasBegun = Atomic(false)

    /// Throws `.encoding` if the sequence was read before.
    fileprivate func begin(_ phase: NetError.Phase) throws(NetError) {
        guard hasBegun.exchange(true, ordering: .relaxed) else { return }
        throw NetError(
            .encoding, phase: phase,
            message:
                "the request body's sequence was already read and may not yield its bytes again; create a new body, "
                + "or pass isReplayable: true if the sequence yields the same bytes each time")
    }
}
