internal import Synchronization

/// Tasks that wait for the next connection of a session.
struct WaitingSenders {
    private var waiters: [UInt64: UnsafeContinuation<Void, Never>] = [:]
    private var nextID: UInt64 = 0

    mutating func makeID() -> UInt64 {
        nextID += 1
        return nextID
    }

    mutating func add(_ id: UInt64, _ continuation: UnsafeContinuation<Void, Never>) {
        waiters[id] = continuation
    }

    mutating func remove(_ id: UInt64) -> UnsafeContinuation<Void, Never>? {
        waiters.removeValue(forKey: id)
    }

    mutating func wakeAll() {
        for waiter in waiters.values { waiter.resume() }
        waiters = [:]
    }
}

extension Mutex where Value == WaitingSenders {
    /// Waits until all are woken or the task is cancelled; not at all when `isNeeded` is false by then.
    func wait(while isNeeded: () -> Bool) async {
        let id = withLock { $0.makeID() }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let waits = withLock { senders in
                    guard !Task.isCancelled, isNeeded() else { return false }
                    senders.add(id, continuation)
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            withLock { $0.remove(id) }?.resume()
        }
    }
}
