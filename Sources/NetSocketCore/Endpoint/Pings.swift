package import NetCore

/// The pings whose pongs haven't arrived. Each carries its number as its payload, in decimal digits: some servers cut
/// a payload at its first zero byte (WeeChat 3.8).
package struct Pings: Sendable {
    package enum Outcome: Sendable {
        case answered(Duration)
        case failed(NetError)
    }

    /// A ping that has been sent, and that a task waits for.
    package struct Ping: Sendable {
        package let number: UInt64
        package let waiter: WaiterList<Outcome>.ID

        package var payload: Bytes { Pings.payload(number) }
    }

    /// The meaning of a pong.
    package struct Answer: Sendable {
        /// The time since the ping of the pong; nil if that ping is no longer awaited.
        package var time: Duration?
        /// The tasks that wait for this ping, or for an earlier one.
        package var waiters: [WaiterList<Outcome>.Waiter] = []
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

    /// Begins a ping that no task waits for, replacing an earlier one. Returns its payload.
    package mutating func beginUnawaited(now: Duration) -> Bytes {
        last += 1
        pings = pings.filter { $0.value.waiter != nil }
        if failure == nil { pings[last] = Sent(start: now, waiter: nil) }
        return Self.payload(last)
    }

    /// Handles a pong, which also ends the wait for all earlier pings: a peer may reply only to the latest (RFC 6455 section
    /// 5.5.3). A pong without a ping isn't an error; returns nil.
    package mutating func answer(_ payload: Bytes, now: Duration) -> Answer? {
        guard let number = UInt64(String(decoding: payload, as: UTF8.self)), number <= last,
            payload == Self.payload(number)
        else { return nil }
        let answered = pings.keys.filter { $0 <= number }.sorted()
        guard !answered.isEmpty else { return nil }
        var answer = Answer()
        for key in answered {
            guard let ping = pings.removeValue(forKey: key) else { continue }
            let time = now - ping.start
            if key == number { answer.time = time }
            if let waiter = ping.waiter, let waiting = waiters.release(waiter, with: .answered(time)) {
                answer.waiters.append(waiting)
            }
        }
        return answer
    }

    fileprivate static func payload(_ number: UInt64) -> Bytes { Bytes(String(number).utf8) }

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
