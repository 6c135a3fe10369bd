internal import Synchronization

/// A hand-over of one chunk between a producing and a reading task: the producer waits until its chunk is wanted.
final class ChunkExchange: Sendable {
    private struct State {
        var chunk: Bytes?
        var isWanted = false
        var end: Result<Void, NetError>?
        var reader: CheckedContinuation<Void, Never>?
        var producer: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Producer: waits for the first request, so that a body nobody reads is never started. False when it ended.
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

    /// Producer: hands over a chunk and waits until the next is wanted. False when the reader is gone.
    func offer(_ chunk: Bytes) async -> Bool {
        let reader = state.withLock { state in
            state.chunk = chunk
            state.isWanted = false
            return state.reader.take()
        }
        reader?.resume()
        return await waitForReader()
    }

    /// Either side: no more chunks; the first call decides.
    func finish(_ error: NetError?) {
        let (reader, producer) = state.withLock { state in
            if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
            return (state.reader.take(), state.producer.take())
        }
        reader?.resume()
        producer?.resume()
    }

    /// Reader: the next chunk, nil at the end.
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
                    state.reader = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }
}
