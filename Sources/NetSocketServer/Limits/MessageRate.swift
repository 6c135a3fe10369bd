#if Server
/// The rates of one connection: messages, bytes and joins. Pure: time is passed in.
package struct MessageRate: Sendable {
    /// The result of checking a message.
    package enum Verdict: Sendable, Hashable {
        /// The message is within the rate.
        case ok
        /// The message is handled, but nothing more is read until the given time.
        case wait(until: Duration)
        /// The rate is exceeded: the connection is closed, or the join is refused.
        case exceeded
    }

    /// The maximum time by which a connection may be ahead of its rate when it is slowed down. Only a peer whose
    /// messages have already been read can exceed it.
    package static let maximumDelay = Duration.seconds(10)

    private var messages: RateBucket?
    private var bytes: RateBucket?
    private var joins: RateBucket?
    private let excess: SocketServerLimits.Excess
    /// The time until which the connection should wait.
    private var deadline: Duration?

    package init(_ limits: SocketServerLimits, at now: Duration) {
        messages = limits.messages.map { RateBucket($0, now) }
        bytes = limits.bytes.map { RateBucket($0, now) }
        joins = limits.joins.map { RateBucket($0, now) }
        excess = limits.excess
    }

    /// Counts a message that has arrived.
    ///
    /// - Parameter size: Its size in bytes, after decompression.
    package mutating func message(of size: Int, at now: Duration) -> Verdict { charge(1, size, now) }

    /// Counts additional commands of a message, or frames that belong to no message. Each counts like a message.
    package mutating func more(_ count: Int, at now: Duration) -> Verdict { charge(count, 0, now) }

    /// Counts bytes that have arrived but belong to no message.
    package mutating func overhead(of size: Int, at now: Duration) -> Verdict { charge(0, size, now) }

    private mutating func charge(_ count: Int, _ size: Int, _ now: Duration) -> Verdict {
        switch excess {
        case .close:
            let late =
                (count > 0 ? messages?.take(Double(count), now) : nil)
                ?? (size > 0 ? bytes?.take(Double(size), now) : nil)
            return late == nil ? .ok : .exceeded
        case .slowDown:
            // Avoids an array, since this runs for each message.
            let byCount = messages?.charge(Double(count), now)
            let bySize = bytes?.charge(Double(size), now)
            guard let end = byCount.map({ max($0, bySize ?? $0) }) ?? bySize else { return .ok }
            // A single message may cost any time, but messages that follow it without waiting may not.
            let isLate = (deadline ?? now) > now + Self.maximumDelay
            deadline = end
            return isLate ? .exceeded : .wait(until: end)
        }
    }

    /// Counts a join. Never returns `wait`: a join beyond the rate is refused.
    package mutating func join(at now: Duration) -> Verdict {
        joins?.take(1, now) == nil ? .ok : .exceeded
    }
}
#endif
