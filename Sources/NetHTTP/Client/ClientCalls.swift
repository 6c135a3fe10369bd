internal import NetCore
internal import Synchronization

/// The calls of a client that are under way.
final class ClientCalls: CallKeeper {
    private let roster = Mutex(CallRoster())

    var count: Int { roster.withLock { $0.count } }

    func enter(_ call: ActivityRecorder) {
        let closing = roster.withLock { roster in
            // Under the lock, or a call could slip in while all are ended.
            call.begin(at: roster.enter(call))
            return roster.closing
        }
        if let closing { call.end(closing) }
    }

    func leave(_ call: ActivityRecorder) {
        guard let place = call.finish() else { return }
        for waiter in roster.withLock({ $0.leave(place) }) { waiter.resume() }
    }

    /// Ends every call there is.
    func endAll(_ reason: CallLife.Reason) {
        for call in roster.withLock({ $0.all }) { call.end(reason) }
    }

    /// Takes no more calls, and waits that long for those there are; then ends them.
    func close(grace: Duration, clock: NetClock) async {
        let reason = CallLife.Reason(.shutdown, "the client was shut down")
        roster.withLock { $0.close(reason) }
        if grace > .zero { await waitForEnd(upTo: grace, clock: clock) }
        endAll(reason)
    }

    private func waitForEnd(upTo limit: Duration, clock: NetClock) async {
        let waiter = roster.withLock { $0.makeWaiter() }
        let timer = Task { [weak self] in
            try? await clock.sleep(for: limit)
            self?.release(waiter)
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A cancelled timer releases nobody who comes later.
                let waits = !Task.isCancelled && roster.withLock { $0.wait(waiter, continuation) }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            timer.cancel()
        }
        timer.cancel()
    }

    private func release(_ waiter: Int) {
        roster.withLock { $0.release(waiter) }?.resume()
    }
}
