package import NetCore
import Synchronization

/// A sequence of chunks that counts its reads, and has the given end.
package struct ChunkFeed: AsyncSequence, Sendable {
    package enum End: Sendable {
        case finish
        case fail(any Error & Sendable)
        case wait
    }

    package final class Log: Sendable {
        private let counts = Mutex((asked: 0, iterators: 0, cancelled: 0))
        package var asked: Int { counts.withLock { $0.asked } }
        package var iterators: Int { counts.withLock { $0.iterators } }
        package var cancelled: Int { counts.withLock { $0.cancelled } }
        package func ask() { counts.withLock { $0.asked += 1 } }
        package func start() { counts.withLock { $0.iterators += 1 } }
        package func cancel() { counts.withLock { $0.cancelled += 1 } }
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        package var rest: ArraySlice<Bytes>
        package let end: End
        package let log: Log

        package mutating func next() async throws -> Bytes? {
            log.ask()
            if let chunk = rest.popFirst() { return chunk }
            switch end {
            case .finish: return nil
            case .fail(let error): throw error
            case .wait:
                // A stream without a writer ends only by cancellation.
                for await _ in AsyncStream<Never>.makeStream().stream {}
                log.cancel()
                throw CancellationError()
            }
        }
    }

    package let chunks: [Bytes]
    package var end = End.finish
    package let log = Log()

    package init(_ texts: [String], end: End = .finish) {
        chunks = texts.map { Bytes($0.utf8) }
        self.end = end
    }

    package func makeAsyncIterator() -> AsyncIterator {
        log.start()
        return AsyncIterator(rest: chunks[...], end: end, log: log)
    }
}

/// Lets other tasks and threads run until a condition holds; returns false if it doesn't within half a minute.
package func eventually(_ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
        for _ in 0..<1000 {
            if condition() { return true }
            await Task.yield()
        }
        try? await Task.sleep(for: .milliseconds(1))
    }
    return condition()
}
