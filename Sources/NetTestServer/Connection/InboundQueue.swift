#if Server
internal import NetCore
internal import Synchronization

/// Hands request parts from the event loop to the one task that serves them, and holds reads back while it is busy.
final class InboundQueue: Sendable {
    private static let maximumBytes = 64 << 10
    private static let maximumParts = 64

    private struct State {
        var parts: [RequestPart] = []
        var bytes = 0
        var isFinished = false
        var isReadHeld = false
        /// Requests whose head was pushed and that are not served to their end.
        var unserved = 0
        var waiter: CheckedContinuation<Void, Never>?

        var isFull: Bool { bytes >= InboundQueue.maximumBytes || parts.count >= InboundQueue.maximumParts }
    }

    private let state = Mutex(State())
    private let read: @Sendable () -> Void

    /// `read` asks the channel for more, after ``shouldRead()`` had said no.
    init(read: @escaping @Sendable () -> Void) {
        self.read = read
    }

    /// Loop: adds a part.
    func push(_ part: RequestPart) {
        let waiter = state.withLock { state in
            guard !state.isFinished else { return nil as CheckedContinuation<Void, Never>? }
            switch part {
            case .head: state.unserved += 1
            case .body(let bytes): state.bytes += bytes.count
            case .end, .refused: break
            }
            state.parts.append(part)
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Loop: whether the task has nothing to do, so that an answer may go out past it.
    var isIdle: Bool { state.withLock { $0.unserved == 0 && !$0.isFinished } }

    /// Task: a request is served, its response written and its body read.
    func served() {
        state.withLock { $0.unserved -= 1 }
    }

    /// Loop: whether the channel may read on; when not, `read` is called later.
    func shouldRead() -> Bool {
        state.withLock { state in
            state.isReadHeld = state.isFull && !state.isFinished
            return !state.isReadHeld
        }
    }

    /// Either side: nothing follows. Parts that are here already are still handed out.
    func finish() {
        let (waiter, isHeld) = state.withLock { state in
            state.isFinished = true
            let isHeld = state.isReadHeld
            state.isReadHeld = false
            return (state.waiter.take(), isHeld)
        }
        waiter?.resume()
        if isHeld { read() }
    }

    /// Task: the next part; nil at the end, or when the task is cancelled.
    func next() async -> RequestPart? {
        while !Task.isCancelled {
            let (part, isFinished, readsOn) = state.withLock { state -> (RequestPart?, Bool, Bool) in
                guard !state.parts.isEmpty else { return (nil, state.isFinished, false) }
                let part = state.parts.removeFirst()
                if case .body(let bytes) = part { state.bytes -= bytes.count }
                let readsOn = state.isReadHeld && !state.isFull && !state.isFinished
                if readsOn { state.isReadHeld = false }
                return (part, false, readsOn)
            }
            if readsOn { read() }
            if let part { return part }
            if isFinished { return nil }
            await wait()
        }
        return nil
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if !state.parts.isEmpty || state.isFinished || Task.isCancelled { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiter.take() }?.resume()
        }
    }
}
#endif
