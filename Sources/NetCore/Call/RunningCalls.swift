internal import Synchronization

/// The running calls of a client, for counting them, waiting for them and ending them. It includes the calls that
/// middleware makes for a call of the client.
package final class RunningCalls: Sendable {
    private let roster = Mutex(CallRoster())

    package init() {}

    /// The maximum time that ``close(grace:clock:)`` waits for calls that it has ended, in case one is stuck in code
    /// outside this package.
    private static let lastWait = Duration.seconds(5)

    package var count: Int { roster.withLock { $0.count } }

    /// Adds a call that has started. If the client no longer accepts calls, the call is ended immediately.
    func enter(_ call: RunningCall) {
        let closing = roster.withLock { roster in
            // Under the lock: otherwise a call could slip in while all others are being ended.
            call.begin(at: roster.enter(call))
            return roster.closing
        }
        if let closing { call.end(closing) }
    }

    /// Removes a call that is over.
    func leave(_ call: RunningCall) {
        guard let place = call.finish() else { return }
        for waiter in roster.withLock({ $0.leave(place) }) { waiter.resume() }
    }

    /// Ends every running call.
    ///
    /// Marks all calls before it runs the first handler: a handler may pass the call's place in a queue to the next
    /// call, which must not begin then.
    package func endAll(_ reason: RunningCall.EndReason) {
        let handlers = roster.withLock { $0.all }.flatMap { $0.markEnded(reason) }
        for handler in handlers { handler() }
    }

    /// Refuses new calls, waits up to `grace` for running ones, then ends them and waits until they have ended.
    package func close(grace: Duration, clock: NetClock) async {
        let reason = RunningCall.EndReason(.shutdown, "the client was shut down")
        roster.withLock { $0.close(reason) }
        if grace > .zero { await waitForEnd(upTo: grace, clock: clock) }
        endAll(reason)
        await waitForEnd(upTo: Self.lastWait, clock: clock)
    }

    /// Waits until no calls are running, `limit` has passed, or the task is cancelled.
    private func waitForEnd(upTo limit: Duration, clock: NetClock) async {
        guard let waiter = roster.withLock({ $0.makeWaiter() }) else { return }
        let timer = Task { [weak self] in
            try? await clock.sleep(for: limit)
            self?.release(waiter)
        }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                roster.withLock { $0.waiters.suspend(waiter, continuation, fallback: ()) }?.resume()
            }
        } onCancel: {
            release(waiter)
        }
        timer.cancel()
    }

    private func release(_ waiter: WaiterList<Void>.ID) {
        roster.withLock { $0.waiters.release(waiter, with: ()) }?.resume()
    }
}
