public import NetCore

/// Whether requests to a server that fails are made at all.
///
///     closed    → enough of the last calls failed                → open
///     open      → its time is over, a call comes                 → half-open, that call is the probe
///     half-open → the probe succeeds                             → closed
///     half-open → the probe fails                                → open
///     half-open → the probe ends and says nothing (cancelled)    → half-open, the next call is the probe
public struct CircuitBreakerStateMachine: Sendable {
    /// What a call may do.
    public enum Admission: Sendable, Hashable {
        case go
        /// It goes, and decides for those that come after it.
        case goAsProbe
        /// It is refused; another is let through after that time at the earliest.
        case refuse(for: Duration)
    }

    /// How a call ended.
    public enum Outcome: Sendable, Hashable { case success, failure, unknown }

    /// The rules.
    public struct Policy: Sendable, Hashable {
        /// The calls that are looked at: the last so many, 1 to 64. Default 20.
        public var window: Int
        /// So many of them must have ended before it opens, 1 to ``window``. Default 10.
        public var minimumCalls: Int
        /// The part of them that failed at which it opens; above 1 it never does. Default 0.5.
        public var failureRatio: Double
        /// How long it stays open. Default 30 s.
        public var openTime: Duration

        /// The defaults, with the settings that are given.
        public init(
            window: Int = 20, minimumCalls: Int = 10, failureRatio: Double = 0.5, openTime: Duration = .seconds(30)
        ) {
            self.window = max(1, min(window, 64))
            self.minimumCalls = max(1, min(minimumCalls, self.window))
            self.failureRatio = failureRatio
            self.openTime = openTime
        }
    }

    private enum State: Sendable {
        /// The last outcomes, one bit each, and how many there are.
        case closed(failures: UInt64, count: Int)
        case open(until: Duration)
        case halfOpen(isProbing: Bool)
    }

    private let policy: Policy
    private var state = State.closed(failures: 0, count: 0)

    /// The calls that opened it; nil while it is closed.
    public private(set) var trip: OpenCircuit.Trip?

    /// Begins closed.
    public init(_ policy: Policy = Policy()) {
        // Once more: settings may have been changed since.
        self.policy = Policy(
            window: policy.window, minimumCalls: policy.minimumCalls, failureRatio: policy.failureRatio,
            openTime: policy.openTime)
    }

    /// Whether calls go through as if it were not there.
    public var isClosed: Bool { if case .closed = state { true } else { false } }

    /// A call comes.
    public mutating func admit(now: Duration) -> Admission {
        switch state {
        case .closed: return .go
        case .open(let end):
            if now < end { return .refuse(for: end - now) }
            state = .halfOpen(isProbing: true)
            return .goAsProbe
        case .halfOpen(isProbing: true): return .refuse(for: .zero)
        case .halfOpen(isProbing: false):
            state = .halfOpen(isProbing: true)
            return .goAsProbe
        }
    }

    /// A call ended that was let through. Those that began before it opened change nothing.
    public mutating func ended(_ outcome: Outcome, wasProbe: Bool, now: Duration) {
        switch state {
        case .halfOpen where wasProbe:
            switch outcome {
            case .success: (state, trip) = (.closed(failures: 0, count: 0), nil)
            case .failure:
                state = .open(until: now + policy.openTime)
                trip?.failedProbes += 1
            case .unknown: state = .halfOpen(isProbing: false)
            }
        case .closed(let failures, let count) where outcome != .unknown:
            let mask = policy.window == 64 ? UInt64.max : (1 << UInt64(policy.window)) - 1
            let failures = (failures << 1 | (outcome == .failure ? 1 : 0)) & mask
            let count = min(count + 1, policy.window)
            let ratio = Double(failures.nonzeroBitCount) / Double(count)
            let opens = outcome == .failure && count >= policy.minimumCalls && ratio >= policy.failureRatio
            state = opens ? .open(until: now + policy.openTime) : .closed(failures: failures, count: count)
            if opens { trip = OpenCircuit.Trip(failures: failures.nonzeroBitCount, calls: count) }
        default: break
        }
    }
}
