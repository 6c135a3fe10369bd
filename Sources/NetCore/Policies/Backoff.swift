/// How long to wait before the next attempt.
///
/// Full jitter is the default: clients that failed together come back spread out. The cap applies last, so no wait is
/// longer than it.
public struct Backoff: Sendable, Hashable {
    /// How the waits spread.
    public enum Jitter: Sendable, Hashable {
        /// Exactly the computed wait.
        case none
        /// Anything from nothing to the computed wait.
        case full
        /// The computed wait, plus or minus that fraction of it. What is no number counts as 0.
        case proportional(Double)
    }

    /// The wait before the second attempt.
    public var base: Duration
    /// What each further wait is multiplied by. What is no number counts as 1.
    public var factor: Double
    /// The longest wait.
    public var cap: Duration
    /// How waits spread.
    public var jitter: Jitter

    /// Waits that grow: 0.5 s, 1 s, 2 s … 8 s, fully jittered.
    public init(
        base: Duration = .milliseconds(500), factor: Double = 2, cap: Duration = .seconds(8), jitter: Jitter = .full
    ) {
        self.base = base
        self.factor = factor
        self.cap = cap
        self.jitter = jitter
    }

    /// The same wait each time.
    public static func constant(_ wait: Duration) -> Backoff {
        Backoff(base: wait, factor: 1, cap: wait, jitter: .none)
    }

    /// The wait after that many failed attempts, counted from 1. `random` is a uniform number in `0 ..< 1`.
    public func delay(afterAttempt attempt: Int, random: Double) -> Duration {
        var seconds = base.inSeconds
        let factor = factor.isNaN ? 1 : factor
        // A loop, not a power: FoundationEssentials has no `pow`, and the cap ends it early.
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
