internal import HTTPTypes
internal import NetCore
internal import Synchronization

/// A body that is stored while the consumer reads it, at the consumer's pace.
///
/// A body that is dropped, fails or is shorter than announced isn't stored. After a failure, the store isn't used any
/// more; the consumer doesn't notice.
final class TeeBodySource: BodySource {
    private struct State {
        var writer: (any HTTPCacheWriter)?
        var count: Int64 = 0
        var end: End?
    }

    /// The result of storing.
    enum End: Sendable {
        case stored, refused, incomplete

        var decision: ActivityEvent.CacheDecision {
            switch self {
            case .stored: .init(.store, .cacheable)
            case .refused: .init(.skippedStore, .tooLarge)
            case .incomplete: .init(.skippedStore, .incomplete)
            }
        }
    }

    private let body: PulledBody
    private let length: Int64?
    private let limit: Int64
    private let isReplaced: @Sendable (CacheEntry) -> Bool
    private let mayStore: @Sendable () -> Bool
    private let ended: @Sendable (End) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - length: The required number of bytes; nil if unknown.
    ///   - limit: The maximum number of bytes to store.
    ///   - mayStore: Called at the end: the entry may have been invalidated in the meantime.
    init(
        _ body: ResponseBody, length: Int64?, limit: Int64, writer: any HTTPCacheWriter,
        replacing isReplaced: @escaping @Sendable (CacheEntry) -> Bool, mayStore: @escaping @Sendable () -> Bool,
        ended: @escaping @Sendable (End) -> Void
    ) {
        self.body = PulledBody(body)
        self.length = length
        self.limit = limit
        self.isReplaced = isReplaced
        self.mayStore = mayStore
        self.ended = ended
        state = Mutex(State(writer: writer))
    }

    deinit { giveUp(.incomplete) }

    /// The result of storing; nil while the body is being read.
    var end: End? { state.withLock { $0.end } }

    var metrics: TransferMetrics? { body.body.metrics }
    var trailers: HTTPFields? { body.body.trailers }

    func next() async throws(NetError) -> Bytes? {
        do throws(NetError) {
            guard let chunk = try await body.next() else {
                await finish()
                return nil
            }
            let (writer, fits) = state.withLock { state in
                state.count += Int64(chunk.count)
                return (state.writer, state.count <= limit)
            }
            if let writer {
                let isTaken = fits ? await writer.write(chunk) : false
                if !isTaken { giveUp(.refused) }
            }
            return chunk
        } catch {
            giveUp(.incomplete)
            throw error
        }
    }

    func cancel() {
        body.body.cancel()
        giveUp(.incomplete)
    }

    private func finish() async {
        let (writer, count) = state.withLock { ($0.writer.take(), $0.count) }
        guard let writer else { return }
        guard length.map({ $0 == count }) ?? true, mayStore() else {
            writer.cancel()
            return note(.incomplete)
        }
        note(await writer.finish(replacing: isReplaced) ? .stored : .refused)
    }

    private func giveUp(_ end: End) {
        guard let writer = state.withLock({ $0.writer.take() }) else { return }
        writer.cancel()
        note(end)
    }

    private func note(_ end: End) {
        state.withLock { $0.end = end }
        ended(end)
    }
}
