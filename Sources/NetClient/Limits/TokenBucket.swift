/// A token bucket: it fills at a steady rate, up to a burst, and each request takes one token.
///
/// Tokens may be taken in advance: the request is given the time to wait, and later requests wait longer. All times are
/// readings of one monotonic clock.
package struct TokenBucket: Sendable, Hashable {
    /// Tokens per second; more than 0.
    package let rate: Double
    /// The number of tokens in a full bucket; at least 1.
    package let burst: Double
    private var tokens: Double
    private var filled: Duration?
    private var blockedUntil: Duration?

    /// Creates a full bucket.
    ///
    /// - Parameters:
    ///   - rate: Tokens per second. A rate that isn't a finite number above 0 becomes the lowest rate, one in ten
    ///     years.
    ///   - burst: The number of tokens in a full bucket; values below 1 become 1.
    package init(rate: Double, burst: Int) {
        self.rate = rate.isFinite && rate > 0 ? max(rate, 3e-9) : 3e-9
        self.burst = Double(max(1, burst))
        tokens = self.burst
    }

    /// Takes tokens and returns the time until they may be used; 0 for immediately.
    ///
    /// - Parameter count: The number of tokens, at least 0. Default 1.
    package mutating func take(_ count: Double = 1, now: Duration) -> Duration {
        // Requests during a block take turns after its end; otherwise they would all start together.
        let start = now + wait(now)
        fill(start)
        tokens -= count
        return start - now + (tokens < 0 ? .nearest(seconds: -tokens / rate) : .zero)
    }

    /// Returns the time until a token taken now could be used, without taking it.
    package func peek(now: Duration) -> Duration {
        var copy = self
        return copy.take(now: now)
    }

    /// Returns an unused token to the bucket.
    package mutating func giveBack() { tokens = min(burst, tokens + 1) }

    /// Allows no request before `time`, as requested by a server's `Retry-After` or an exhausted quota.
    package mutating func block(until time: Duration) { blockedUntil = max(blockedUntil ?? time, time) }

    /// Returns the time until the block of ``block(until:)`` ends; 0 if there is none.
    package func wait(_ now: Duration) -> Duration {
        guard let blockedUntil, blockedUntil > now else { return .zero }
        return blockedUntil - now
    }

    private mutating func fill(_ now: Duration) {
        if let filled, now > filled { tokens = min(burst, tokens + (now - filled).inSeconds * rate) }
        filled = max(filled ?? now, now)
    }
}
