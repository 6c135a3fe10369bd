#if Server
internal import NetCore
internal import Synchronization

/// Passes request parts from the event loop to the task that serves them, and pauses reading while the task is busy.
final class InboundQueue: Sendable {
    private static let maximumBytes = 64 << 10
    private static let maximumParts = 64

    private struct State {
        var parts: [RequestPart] = []
        var bytes = 0
        var isFinished = false
        var isReadHeld = false
        /// The number of requests that were pushed and aren't served to their end.
        var unserved = 0
        var tasks = WaiterList<Void>()

        var isFull: Bool { bytes >= InboundQueue.maximumBytes || parts.count >= InboundQueue.maximumParts }
    }

    private let state = Mutex(State())
    private let read: @Sendable () -> Void

    /// - Parameter read: Asks the channel for more, after ``shouldRead()`` returned false.
    init(read: @escaping @Sendable () -> Void) {
        self.read = read
    }

    /// Loop: adds a part.
    func push(_ part: RequestPart) {
        let waiters = state.withLock { state -> [WaiterList<Void>.Waiter] in
            guard !state.isFinished else { return [] }
            switch part {
            case .head: state.unserved += 1
            case .body(let bytes): state.bytes += bytes.count
            case .end, .refused: break
            }
            state.parts.append(part)
            return state.tasks.releaseAll(with: ())
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Loop: true if the task has nothing to do, so that a response may be written without it.
    var isIdle: Bool { state.withLock { $0.unserved == 0 && !$0.isFinished } }

    /// Task: a request has been served: its response is written, and its body read.
    func served() {
        state.withLock { $0.unserved -= 1 }
    }

    /// Loop: returns true if the channel may continue reading; otherwise `read` is called later.
    func shouldRead() -> Bool {
        state.withLock { state in
            state.isReadHeld = state.isFull && !state.isFinished
            return !state.isReadHeld
        }
    }

    /// Either side: ends the queue. Parts that are in it are still returned.
    func finish() {
        let (waiters, isHeld) = state.withLock { state in
            state.isFinished = true
            let isHeld = state.isReadHeld
            state.isReadHeld = false
            return (state.tasks.releaseAll(with: ()), isHeld)
        }
        for waiter in waiters { waiter.resume() }
        if isHeld { read() }
    }

    /// Task: returns the next part; nil at the end, or if the task is cancelled.
    func next() async -> RequestPart? {
        while !Task.isCancelled {
            let (part, waits, readsOn) = state.withLock { state -> (RequestPart?, WaiterList<Void>.ID?, Bool) in
                guard !state.parts.isEmpty else {
                    return (nil, state.isFinished ? nil : state.tasks.register(), false)
                }
                let part = state.parts.removeFirst()
                if case .body(let bytes) = part { state.bytes -= bytes.count }
                let readsOn = state.isReadHeld && !state.isFull && !state.isFinished
                if readsOn { state.isReadHeld = false }
                return (part, nil, readsOn)
            }
            if readsOn { read() }
            guard let waits else { return part }
            await WaiterList.wait(waits, fallback: ()) { change in state.withLock { change(&$0.tasks) } }
        }
        return nil
    }
}
#endif
