/// A rule for the wait before the next attempt.
///
/// Full jitter is the default: clients that failed together retry at different times. The cap applies last, so no wait
/// is longer.
public struct Backoff: Sendable, Hashable {
    /// The randomization of waits.
    public enum Jitter: Sendable, Hashable {
        /// Exactly the computed wait.
        case none
        /// A random wait between zero and the computed wait.
        case full
        /// The computed wait, plus or minus that fraction of it. NaN counts as 0.
        case proportional(Double)
    }

    /// The wait before the second attempt.
    public var base: Duration
    /// The factor by which each further wait grows. NaN counts as 1.
    public var factor: Double
    /// The maximum wait.
    public var cap: Duration
    /// The randomization of waits.
    public var jitter: Jitter

    /// Creates a rule for growing waits. Default: 0.5 s, 1 s, 2 s … 8 s, with full jitter.
    public init(
        base: Duration = .milliseconds(500), factor: Double = 2, cap: Duration = .seconds(8), jitter: Jitter = .full
    ) {
        self.base = base
        self.factor = factor
        self.cap = cap
        self.jitter = jitter
    }

    /// Returns a rule with the same wait each time.
    public static func constant(_ wait: Duration) -> Backoff {
        Backoff(base: wait, factor: 1, cap: wait, jitter: .none)
    }

    /// Returns the wait after that many failed attempts, counted from 1. `random` is a uniform number in `0 ..< 1`.
    public func delay(afterAttempt attempt: Int, random: Double) -> Duration {
        var seconds = base.inSeconds
        let factor = factor.isNaN ? 1 : factor
        // A loop instead of a power: FoundationEssentials has no `pow`, and the cap ends the loop early.
        for _ in 1..<max(1, min(attempt, 1000)) where seconds < cap.inSeconds { seconds *= factor }
        seconds = min(seconds, cap.inSeconds)
        switch jitter {
        case .none: break
        case .full: seconds *= random
        case .proportional(let part): if !part.isNaN { seconds *= 1 + part * (2 * random - 1) }
        }
        let nanoseconds = (min(max(0, seconds), cap.inSeconds) * 1e9).rounded()
        return .nanoseconds(Int64(exactly: nanoseconds) ?? cap.inNanoseconds)
    }
}
