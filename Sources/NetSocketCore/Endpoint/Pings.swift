package import NetCore

/// The pings that wait for their pongs. Each carries its number as its payload.
package struct Pings: Sendable {
    package enum Outcome: Sendable {
        case answered(Duration)
        case failed(NetError)
    }

    /// A ping that has been sent.
    package struct Ping: Sendable {
        package let number: UInt64
        package let waiter: WaiterList<Outcome>.ID
        fileprivate let start: Duration
    }

    package var waiters = WaiterList<Outcome>()
    private var pings: [UInt64: Ping] = [:]
    private var last: UInt64 = 0
    private var failure: NetError?

    package init() {}

    /// True if a pong is awaited.
    package var areAwaited: Bool { !pings.isEmpty }

    package mutating func begin(now: Duration) -> Ping {
        last += 1
        let ping = Ping(number: last, waiter: waiters.register(), start: now)
        if let failure {
            _ = waiters.release(ping.waiter, with: .failed(failure))
        } else {
            pings[last] = ping
        }
        return ping
    }

    /// Handles a pong. Returns the waiter of its ping. A pong without a ping isn't an error (RFC 6455 section 5.5.3).
    package mutating func answer(_ payload: Bytes, now: Duration) -> WaiterList<Outcome>.Waiter? {
        guard payload.count == 8 else { return nil }
        let number = payload.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let ping = pings.removeValue(forKey: number) else { return nil }
        return waiters.release(ping.waiter, with: .answered(now - ping.start))
    }

    /// Fails the waiting pings and all later ones, because the connection has ended.
    package mutating func fail(_ error: NetError) -> [WaiterList<Outcome>.Waiter] {
        guard failure == nil else { return [] }
        failure = error
        pings = [:]
        return waiters.releaseAll(with: .failed(error))
    }

    /// Removes a ping whose task has stopped waiting.
    package mutating func end(_ ping: Ping) {
        pings[ping.number] = nil
        waiters.forget(ping.waiter)
    }
}
