/// How long a server's answers take, and how much that varies: smoothed as TCP does it for its own time-out (RFC 6298).
///
///     var estimator = LatencyEstimator()
///     estimator.add(.milliseconds(100))
///     estimator.limit  // 300 ms: the mean, and four times the deviation, which begins at half of it
public struct LatencyEstimator: Sendable, Hashable {
    private var mean: Double?
    private var deviation = 0.0

    /// An estimator that knows nothing.
    public init() {}

    /// Takes in an answer's time.
    public mutating func add(_ time: Duration) {
        let seconds = max(0, time.inSeconds)
        guard let mean else {
            self.mean = seconds
            deviation = seconds / 2
            return
        }
        deviation += (abs(seconds - mean) - deviation) / 4
        self.mean = mean + (seconds - mean) / 8
    }

    /// The mean; nil before the first answer.
    public var average: Duration? { mean.map { .nearest(seconds: $0) } }

    /// A time that hardly any answer takes: the mean and four deviations. nil before the first answer.
    public var limit: Duration? { mean.map { .nearest(seconds: $0 + 4 * deviation) } }
}
