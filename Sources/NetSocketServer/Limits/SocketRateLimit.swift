#if Server
/// A rate limit: a token bucket that is initially full, holds `burst` tokens, and refills by `perSecond`.
public struct SocketRateLimit: Sendable, Hashable {
    /// The long-term rate per second. A rate below 0.001 counts as 0.001.
    public var perSecond: Double
    /// The number of tokens that can be used immediately when the bucket is full. A value below 1 counts as 1.
    public var burst: Double

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - perSecond: The long-term rate per second.
    ///   - burst: The amount that is allowed in a burst; nil for the amount of one second.
    public init(perSecond: Double, burst: Double? = nil) {
        self.perSecond = perSecond
        self.burst = burst ?? perSecond
    }
}
#endif
