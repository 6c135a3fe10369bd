#if Server
/// The rates of one connection: messages, bytes and joins. Pure; time is passed in.
package struct MessageRate: Sendable {
    /// What follows from a message.
    package enum Verdict: Sendable, Hashable {
        /// Go on.
        case ok
        /// Handle it, but read nothing more until then.
        case wait(until: Duration)
        /// It is too much: close the connection, or refuse the join.
        case exceeded
    }

    /// How far a connection may be ahead of its rate when it is slowed down. Only a peer whose messages have been read already
    /// gets there.
    package static let maximumDelay = Duration.seconds(10)

    private var messages: RateBucket?
    private var bytes: RateBucket?
    private var joins: RateBucket?
    private let excess: SocketServerLimits.Excess
    /// Until when the connection was told to wait.
    private var deadline: Duration?

    package init(_ limits: SocketServerLimits, at now: Duration) {
        messages = limits.messages.map { RateBucket($0, now) }
        bytes = limits.bytes.map { RateBucket($0, now) }
        joins = limits.joins.map { RateBucket($0, now) }
        excess = limits.excess
    }

    /// A message has arrived.
    ///
    /// - Parameter size: Its size in bytes, after decompression.
    package mutating func message(of size: Int, at now: Duration) -> Verdict { charge(1, size, now) }

    /// A message holds more than one command, or frames belong to no message: they count like messages.
    package mutating func more(_ count: Int, at now: Duration) -> Verdict { charge(count, 0, now) }

    /// Bytes have arrived that belong to no message.
    package mutating func overhead(of size: Int, at now: Duration) -> Verdict { charge(0, size, now) }

    private mutating func charge(_ count: Int, _ size: Int, _ now: Duration) -> Verdict {
        switch excess {
        case .close:
            let late =
                (count > 0 ? messages?.take(Double(count), now) : nil)
                ?? (size > 0 ? bytes?.take(Double(size), now) : nil)
            return late == nil ? .ok : .exceeded
        case .slowDown:
            // Without an array: this runs for each message.
            let byCount = messages?.charge(Double(count), now)
            let bySize = bytes?.charge(Double(size), now)
            guard let end = byCount.map({ max($0, bySize ?? $0) }) ?? bySize else { return .ok }
            // One message may cost any time; those that follow it without a wait may not.
            let isLate = (deadline ?? now) > now + Self.maximumDelay
            deadline = end
            return isLate ? .exceeded : .wait(until: end)
        }
    }

    /// The client wants to join a channel. Never `wait`: a join beyond the rate is refused.
    package mutating func join(at now: Duration) -> Verdict {
        joins?.take(1, now) == nil ? .ok : .exceeded
    }
}
#endif
