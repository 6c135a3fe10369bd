import NetCore
import Synchronization

/// A sequence of chunks that counts how often it was asked, and ends as it is told.
struct ChunkFeed: AsyncSequence, Sendable {
    enum End: Sendable {
        case finish
        case fail(any Error & Sendable)
        case wait
    }

    final class Log: Sendable {
        private let counts = Mutex((asked: 0, iterators: 0, cancelled: 0))
        var asked: Int { counts.withLock { $0.asked } }
        var iterators: Int { counts.withLock { $0.iterators } }
        var cancelled: Int { counts.withLock { $0.cancelled } }
        func ask() { counts.withLock { $0.asked += 1 } }
        func start() { counts.withLock { $0.iterators += 1 } }
        func cancel() { counts.withLock { $0.cancelled += 1 } }
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Bytes>
        let end: End
        let log: Log

        mutating func next() async throws -> Bytes? {
            log.ask()
            if let chunk = rest.popFirst() { return chunk }
            switch end {
            case .finish: return nil
            case .fail(let error): throw error
            case .wait:
                // A stream that nobody writes to ends only by cancellation.
                for await _ in AsyncStream<Never>.makeStream().stream {}
                log.cancel()
                throw CancellationError()
            }
        }
    }

    let chunks: [Bytes]
    var end = End.finish
    let log = Log()

    init(_ texts: [String], end: End = .finish) {
        chunks = texts.map { Bytes($0.utf8) }
        self.end = end
    }

    func makeAsyncIterator() -> AsyncIterator {
        log.start()
        return AsyncIterator(rest: chunks[...], end: end, log: log)
    }
}

/// Lets other tasks run until a condition holds.
func eventually(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<100_000 {
        if condition() { return true }
        await Task.yield()
    }
    return condition()
}
