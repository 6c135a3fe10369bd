#if os(Linux)
internal import HTTPTypes
internal import NetCore
internal import Synchronization

/// The state that the loop and the reader of a streamed body share.
final class StreamState: Sendable {
    private struct State {
        var buffer: ReceiveBuffer
        var reader: UnsafeContinuation<Void, Never>?
        var metrics: TransferMetrics?
        var trailers: HTTPFields?
    }

    private let state: Mutex<State>

    init(highMark: Int) {
        state = Mutex(State(buffer: ReceiveBuffer(highMark: highMark)))
    }

    var metrics: TransferMetrics? { state.withLock { $0.metrics } }
    var trailers: HTTPFields? { state.withLock { $0.trailers } }
    var hasEnded: Bool { state.withLock { $0.buffer.hasEnded } }

    // MARK: Loop

    /// Returns true if the transfer must pause before it appends more.
    func isFull() -> Bool { state.withLock { $0.buffer.isFull() } }

    /// Appends bytes, even if the buffer is full.
    func append(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { $0.buffer.append(bytes) }
    }

    func finish(_ error: NetError?, metrics: TransferMetrics?, trailers: HTTPFields?) {
        state.withLock { state in
            state.metrics = metrics
            state.trailers = trailers
            state.buffer.finish(error)
        }
        wakeReader()
    }

    /// Wakes the reader if it's waiting. Called once per turn of the loop rather than once per callback.
    func wakeReader() {
        state.withLock { $0.reader.take() }?.resume()
    }

    // MARK: Reader

    func take() -> ReceiveBuffer.TakeAction {
        state.withLock { $0.buffer.take() }
    }

    /// Waits until there is data or the end; returns false if another task is already waiting.
    func wait() async -> Bool {
        var isAlone = true
        await withUnsafeContinuation { continuation in
            let (resumesNow, alone) = state.withLock { state -> (Bool, Bool) in
                if state.reader != nil { return (true, false) }
                if state.buffer.buffered > 0 || state.buffer.hasEnded { return (true, true) }
                state.reader = continuation
                return (false, true)
            }
            isAlone = alone
            if resumesNow { continuation.resume() }
        }
        return isAlone
    }

    func discard() {
        state.withLock { $0.buffer.discard() }
    }
}
#endif
