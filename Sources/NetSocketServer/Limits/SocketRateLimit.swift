#if Server
/// A rate limit: a token bucket that is initially full, holds `burst` tokens, and refills by `perSecond`.
public struct SocketRateLimit: Sendable, Hashable {
    /// The long-term rate per second. The minimum is one thousandth.
    public var perSecond: Double
    /// The amount that is allowed in a burst, after a time below the rate. The minimum is one.
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
