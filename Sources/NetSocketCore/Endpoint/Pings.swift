package import NetCore

/// The pings whose pongs haven't arrived. Each carries its number as its payload.
package struct Pings: Sendable {
    package enum Outcome: Sendable {
        case answered(Duration)
        case failed(NetError)
    }

    /// A ping that has been sent, and that a task waits for.
    package struct Ping: Sendable {
        package let number: UInt64
        package let waiter: WaiterList<Outcome>.ID
    }

    private struct Sent: Sendable {
        let start: Duration
        /// nil for a ping that only checks if the peer is alive.
        let waiter: WaiterList<Outcome>.ID?
    }

    package var waiters = WaiterList<Outcome>()
    private var pings: [UInt64: Sent] = [:]
    private var last: UInt64 = 0
    private var failure: NetError?

    package init() {}

    /// True if a pong is awaited.
    package var areAwaited: Bool { !pings.isEmpty }

    package mutating func begin(now: Duration) -> Ping {
        last += 1
        let waiter = waiters.register()
        if let failure {
            _ = waiters.release(waiter, with: .failed(failure))
        } else {
            pings[last] = Sent(start: now, waiter: waiter)
        }
        return Ping(number: last, waiter: waiter)
    }

    /// Begins a ping that no task waits for, replacing an earlier one. Returns its number.
    package mutating func beginUnawaited(now: Duration) -> UInt64 {
        last += 1
        pings = pings.filter { $0.value.waiter != nil }
        if failure == nil { pings[last] = Sent(start: now, waiter: nil) }
        return last
    }

    /// Handles a pong. Returns the time since its ping, and the task that waits for it. A pong without a ping isn't an
    /// error (RFC 6455 section 5.5.3).
    package mutating func answer(
        _ payload: Bytes, now: Duration
    ) -> (time: Duration, waiter: WaiterList<Outcome>.Waiter?)? {
        guard payload.count == 8 else { return nil }
        let number = payload.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let ping = pings.removeValue(forKey: number) else { return nil }
        let time = now - ping.start
        return (time, ping.waiter.flatMap { waiters.release($0, with: .answered(time)) })
    }

    /// Fails the waiting pings and all later ones, because the connection has ended.
    package mutating func fail(_ error: NetError) -> [WaiterList<Outcome>.Waiter] {
        guard failure == nil else { return [] }
        failure = error
        pings = [:]
        return waiters.releaseAll(with: .failed(error))
    }

    /// Removes a ping whose task no longer waits.
    package mutating func end(_ ping: Ping) {
        pings[ping.number] = nil
        waiters.forget(ping.waiter)
    }
}
