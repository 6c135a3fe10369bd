/// A rule for the wait before the next attempt.
///
/// Full jitter is the default: clients that failed together retry at different times. The cap applies last, so no wait
/// is longer than the cap.
///
///     let patient = Backoff.linear(.seconds(1), cap: .seconds(30))  // up to 1 s, 2 s, 3 s …
///     let spread = Backoff.decorrelated()  // each between 0.5 s and three times the wait before it
public struct Backoff: Sendable, Hashable {
    /// The growth of waits.
    public enum Growth: Sendable, Hashable {
        /// Each wait is the previous one times ``Backoff/factor``.
        case exponential
        /// Each wait is the previous one plus ``Backoff/base``.
        case linear
    }

    /// The randomization of waits.
    public enum Jitter: Sendable, Hashable {
        /// Exactly the computed wait.
        case none
        /// A random wait between zero and the computed wait.
        case full
        /// The computed wait, plus or minus the given fraction of it. NaN counts as 0.
        case proportional(Double)
        /// A random wait between ``Backoff/base`` and the actual previous wait grown by one step.
        case decorrelated
    }

    /// The wait before the second attempt.
    public var base: Duration
    /// The factor by which each further wait grows; ignored if the growth is linear. NaN counts as 1.
    public var factor: Double
    /// The maximum wait.
    public var cap: Duration
    /// The randomization of waits.
    public var jitter: Jitter
    /// The growth of waits.
    public var growth: Growth

    /// Creates a rule for growing waits. Default: 0.5 s, 1 s, 2 s … 8 s, with full jitter.
    public init(
        base: Duration = .milliseconds(500), factor: Double = 2, cap: Duration = .seconds(8), jitter: Jitter = .full,
        growth: Growth = .exponential
    ) {
        self.base = base
        self.factor = factor
        self.cap = cap
        self.jitter = jitter
        self.growth = growth
    }

    /// Returns a rule with the same wait each time.
    public static func constant(_ wait: Duration) -> Backoff {
        Backoff(base: wait, factor: 1, cap: wait, jitter: .none)
    }

    /// Returns a rule whose waits grow by `step` each time: once, twice, three times the step. Default cap 8 s, with
    /// full jitter.
    public static func linear(_ step: Duration, cap: Duration = .seconds(8), jitter: Jitter = .full) -> Backoff {
        Backoff(base: step, cap: cap, jitter: jitter, growth: .linear)
    }

    /// Returns a rule with random waits between `base` and three times the previous wait, which spread out faster than
    /// waits with full jitter. Default 0.5 s to 8 s.
    public static func decorrelated(
        base: Duration = .milliseconds(500), cap: Duration = .seconds(8)
    ) -> Backoff {
        Backoff(base: base, factor: 3, cap: cap, jitter: .decorrelated)
    }

    /// Returns the wait after `attempt` failed attempts.
    ///
    /// - Parameters:
    ///   - attempt: The number of failed attempts, counted from 1.
    ///   - previous: The wait before the last of them, for ``Jitter/decorrelated``; nil uses the longest possible one.
    ///   - random: A uniform number in `0 ..< 1`.
    public func delay(afterAttempt attempt: Int, previous: Duration? = nil, random: Double) -> Duration {
        let cap = max(0, self.cap.inSeconds)
        var seconds = min(computed(attempt), cap)
        switch jitter {
        case .none: break
        case .full: seconds *= random
        case .proportional(let part): if !part.isNaN { seconds *= 1 + part * (2 * random - 1) }
        case .decorrelated:
            let longest = min(previous.map { grown($0.inSeconds) } ?? computed(max(1, attempt) + 1), cap)
            let shortest = min(base.inSeconds, cap)
            seconds = shortest + max(0, longest - shortest) * random
        }
        let nanoseconds = (min(max(0, seconds), cap) * 1e9).rounded()
        return .nanoseconds(Int64(exactly: nanoseconds) ?? self.cap.inNanoseconds)
    }

    /// Returns the wait without jitter. It stops growing once it exceeds the cap.
    private func computed(_ attempt: Int) -> Double {
        let steps = max(1, attempt)
        guard growth == .exponential else { return base.inSeconds * Double(steps) }
        var seconds = base.inSeconds
        // A loop instead of a power: FoundationEssentials has no `pow`, and the cap ends the loop early.
        for _ in 1..<min(steps, 1000) where seconds < cap.inSeconds { seconds = grown(seconds) }
        return seconds
    }

    private func grown(_ seconds: Double) -> Double {
        switch growth {
        case .exponential: seconds * (factor.isNaN ? 1 : factor)
        case .linear: seconds + base.inSeconds
        }
    }
}
