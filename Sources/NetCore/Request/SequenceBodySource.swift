internal import Synchronization

/// An async sequence of chunks as a body source: pulled one chunk at a time, only when the reader asks.
///
/// The iterator runs in a task of its own, because it need not be sendable; the two sides take turns through a
/// hand-over of one chunk, so nothing is buffered ahead.
final class SequenceBodySource<Chunks: AsyncSequence & Sendable>: BodySource where Chunks.Element == Bytes {
    private let exchange: ChunkExchange
    private let task: Mutex<Task<Void, Never>?>

    init(_ chunks: Chunks) {
        let exchange = ChunkExchange()
        self.exchange = exchange
        task = Mutex(
            Task {
                do {
                    guard await exchange.waitForReader() else { return }
                    for try await chunk in chunks where !chunk.isEmpty {
                        guard await exchange.offer(chunk) else { return }
                    }
                    exchange.finish(nil)
                } catch let error as NetError {
                    exchange.finish(error)
                } catch {
                    exchange.finish(
                        NetError(
                            error is CancellationError ? .cancelled : .encoding, phase: .sending,
                            message: "the body's own sequence failed: \(error)", underlying: error))
                }
            })
    }

    deinit { cancel() }

    func next() async throws(NetError) -> Bytes? {
        try await exchange.next()
    }

    func cancel() {
        task.withLock { task in
            task?.cancel()
            task = nil
        }
        exchange.finish(NetError(.cancelled, phase: .sending, message: "the body was dropped before its end"))
    }
}
