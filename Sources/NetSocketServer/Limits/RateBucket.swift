#if Server
internal import NetCore

/// The state of a ``SocketRateLimit``. Pure: time is passed in.
///
/// A cost that exceeds the bucket's capacity is allowed when the bucket is full, and leaves a debt: a message of an
/// allowed size gets through, whatever the limit of bytes.
struct RateBucket: Sendable {
    private let perSecond: Double
    private let burst: Double
    private var level: Double
    private var last: Duration

    init(_ limit: SocketRateLimit, _ now: Duration) {
        // NaN isn't greater than or equal to anything, so it also becomes the minimum.
        perSecond = limit.perSecond >= 0.001 ? limit.perSecond : 0.001
        burst = limit.burst >= 1 ? limit.burst : 1
        level = burst
        last = now
    }

    /// The time after which an empty bucket is full.
    static func timeToFill(_ limit: SocketRateLimit) -> Duration {
        let bucket = RateBucket(limit, .zero)
        return bucket.time(for: bucket.burst, .zero)
    }

    /// Returns true if the bucket is full, and thus equal to a new one.
    mutating func isFull(_ now: Duration) -> Bool {
        fill(now)
        return level >= burst
    }

    /// Takes a cost if the limit allows it. Otherwise takes nothing, and returns the time at which it would be
    /// allowed.
    mutating func take(_ cost: Double, _ now: Duration) -> Duration? {
        fill(now)
        let needed = min(cost, burst)
        guard level < needed else {
            level -= cost
            return nil
        }
        return time(for: needed - level, now)
    }

    /// Takes a cost even if it exceeds the limit. Returns the time at which the bucket will be out of debt; nil if it
    /// isn't in debt.
    mutating func charge(_ cost: Double, _ now: Duration) -> Duration? {
        fill(now)
        level -= cost
        return level < 0 ? time(for: -level, now) : nil
    }

    private mutating func fill(_ now: Duration) {
        guard now > last else { return }
        level = min(burst, level + (now - last).inSeconds * perSecond)
        last = now
    }

    /// Returns the time at which the level has risen by `amount`, rounded up so that the amount is available then.
    private func time(for amount: Double, _ now: Duration) -> Duration {
        now + .nearest(seconds: min(amount / perSecond, 1e9)) + .microseconds(1)
    }
}
#endif
