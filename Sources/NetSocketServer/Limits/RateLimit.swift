#if Server
/// How often something may happen: a token bucket, which is full at first, holds `burst`, and fills by `perSecond`.
public struct RateLimit: Sendable, Hashable {
    /// How much there may be in the long run. At least one thousandth is used.
    public var perSecond: Double
    /// How much there may be at once, after a time of less. At least one is used.
    public var burst: Double

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - perSecond: How much there may be in the long run.
    ///   - burst: How much there may be at once; nil for what there may be in a second.
    public init(perSecond: Double, burst: Double? = nil) {
        self.perSecond = perSecond
        self.burst = burst ?? perSecond
    }
}
#endif
