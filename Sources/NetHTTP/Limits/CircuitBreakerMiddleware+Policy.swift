extension CircuitBreakerMiddleware {
    /// The thresholds for opening the circuit, and the time until the first probe.
    public struct Policy: Sendable, Hashable {
        /// The number of most recent calls to consider, 1 to 64. Default 20.
        public var window: Int
        /// The number of those calls that must have ended before the circuit can open, 1 to ``window``. Default 10.
        public var minimumCalls: Int
        /// The ratio of failed calls at which the circuit opens; above 1, it never opens. Default 0.5.
        public var failureRatio: Double
        /// The time during which the circuit stays open. Default 30 s.
        public var openTime: Duration

        /// Creates a policy; clamps `window` and `minimumCalls` to their ranges.
        public init(
            window: Int = 20, minimumCalls: Int = 10, failureRatio: Double = 0.5, openTime: Duration = .seconds(30)
        ) {
            self.window = max(1, min(window, 64))
            self.minimumCalls = max(1, min(minimumCalls, self.window))
            self.failureRatio = failureRatio
            self.openTime = openTime
        }
    }
}
