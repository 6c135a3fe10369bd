internal import Synchronization

/// An exchange of single chunks between a producing and a reading task; the producer waits until a chunk is requested.
final class ChunkExchange: Sendable {
    private struct State {
        var chunk: Bytes?
        var isWanted = false
        var end: Result<Void, NetError>?
        /// Usually one. If several tasks read one body, each gets some of its chunks.
        var readers: [CheckedContinuation<Void, Never>] = []
        var producer: CheckedContinuation<Void, Never>?

        mutating func takeReaders() -> [CheckedContinuation<Void, Never>] {
            defer { readers = [] }
            return readers
        }
    }

    private let state = Mutex(State())

    /// Producer: waits for the first request, so that an unread body never starts. Returns false if the exchange has
    /// ended.
    func waitForReader() async -> Bool {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.isWanted || state.end != nil { return true }
                state.producer = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
        return state.withLock { $0.end == nil }
    }

    /// Producer: offers a chunk and waits until the next one is requested. Returns false if the exchange has ended.
    func offer(_ chunk: Bytes) async -> Bool {
        let readers = state.withLock { state in
            if state.end == nil { state.chunk = chunk }
            state.isWanted = false
            return state.takeReaders()
        }
        for reader in readers { reader.resume() }
        return await waitForReader()
    }

    /// Either side: ends the exchange. The first call determines the result.
    func finish(_ error: NetError?) {
        let (readers, producer) = state.withLock { state in
            if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
            return (state.takeReaders(), state.producer.take())
        }
        for reader in readers { reader.resume() }
        producer?.resume()
    }

    /// Reader: stops reading. A chunk that wasn't taken yet is dropped.
    func cancel(_ error: NetError) {
        state.withLock { state in
            if state.end == nil { state.chunk = nil }
        }
        finish(error)
    }

    /// Reader: returns the next chunk; nil at the end.
    func next() async throws(NetError) -> Bytes? {
        while true {
            let (chunk, end, producer) = state.withLock { state in
                let chunk = state.chunk.take()
                if chunk == nil { state.isWanted = true }
                return (chunk, state.end, chunk == nil ? state.producer.take() : nil)
            }
            if let chunk { return chunk }
            if let end {
                try end.get()
                return nil
            }
            producer?.resume()
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.chunk != nil || state.end != nil { return true }
                    state.readers.append(continuation)
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }
}
