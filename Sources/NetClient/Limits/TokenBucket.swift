/// How many requests may begin: a bucket that fills at a steady rate, up to a burst, and of which each request takes a token.
///
/// Tokens may be taken ahead of time: a request is told how long it waits, and those that come later wait longer. All times
/// are readings of one clock that never goes backwards.
///
///     var bucket = TokenBucket(rate: 10, burst: 1)
///     bucket.take(now: .zero)  // 0 s
///     bucket.take(now: .zero)  // 0.1 s
public struct TokenBucket: Sendable, Hashable {
    /// Tokens a second; more than 0.
    public let rate: Double
    /// Tokens that a full bucket holds; at least 1.
    public let burst: Double
    private var tokens: Double
    private var filled: Duration?
    private var blockedUntil: Duration?

    /// Makes a full bucket. A rate that is no number above 0 becomes the smallest, one in ten years.
    public init(rate: Double, burst: Int) {
        self.rate = rate.isFinite && rate > 0 ? max(rate, 3e-9) : 3e-9
        self.burst = Double(max(1, burst))
        tokens = self.burst
    }

    /// Takes a token; the time until it may be used, 0 for now.
    public mutating func take(now: Duration) -> Duration {
        // Who comes while the server is left alone takes a turn after that: they would all begin at once otherwise.
        let start = now + wait(now)
        fill(start)
        tokens -= 1
        return start - now + (tokens < 0 ? .nearest(seconds: -tokens / rate) : .zero)
    }

    /// How long a token would take that is taken now.
    public func peek(now: Duration) -> Duration {
        var copy = self
        return copy.take(now: now)
    }

    /// Gives a token back that was not used.
    public mutating func giveBack() { tokens = min(burst, tokens + 1) }

    /// Lets nothing begin before `time`: what a server's `Retry-After` or an exhausted quota asks for.
    public mutating func block(until time: Duration) { blockedUntil = max(blockedUntil ?? time, time) }

    /// The time that the server's wish leaves to wait.
    public func wait(_ now: Duration) -> Duration {
        guard let blockedUntil, blockedUntil > now else { return .zero }
        return blockedUntil - now
    }

    private mutating func fill(_ now: Duration) {
        if let filled, now > filled { tokens = min(burst, tokens + (now - filled).inSeconds * rate) }
        filled = max(filled ?? now, now)
    }
}
