/// A server's mean response time and its deviation, smoothed as TCP does for its retransmission timeout (RFC 6298).
/// The limit is the mean plus four times the deviation, which starts at half the mean: 300 ms after a first response
/// in 100 ms.
package struct LatencyEstimator: Sendable, Hashable {
    private var mean: Double?
    private var deviation = 0.0

    /// Creates an estimator without measurements.
    package init() {}

    /// Adds a response time.
    package mutating func add(_ time: Duration) {
        let seconds = max(0, time.inSeconds)
        guard let mean else {
            self.mean = seconds
            deviation = seconds / 2
            return
        }
        deviation += (abs(seconds - mean) - deviation) / 4
        self.mean = mean + (seconds - mean) / 8
    }

    /// The mean; nil before the first response.
    package var average: Duration? { mean.map { .nearest(seconds: $0) } }

    /// A time that hardly any response exceeds: the mean plus four deviations; nil before the first response.
    package var limit: Duration? { mean.map { .nearest(seconds: $0 + 4 * deviation) } }
}
