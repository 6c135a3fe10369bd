package import NetCore

/// Decides whether requests to a failing server are sent.
///
///     closed    → enough of the last calls failed                → open
///     open      → its time is over, a call begins                → half-open, that call is the probe
///     half-open → the probe succeeds                             → closed
///     half-open → the probe fails                                → open
///     half-open → the probe ends inconclusively (cancelled)      → half-open, the next call is the probe
package struct CircuitBreakerStateMachine: Sendable {
    /// The decision about a call.
    package enum Admission: Sendable, Hashable {
        case go
        /// The call is sent as the probe: its outcome closes the circuit or opens it again.
        case goAsProbe
        /// The call is rejected; the next probe is admitted after this time at the earliest.
        case refuse(for: Duration)
    }

    /// The outcome of a call.
    package enum Outcome: Sendable, Hashable { case success, failure, unknown }

    package typealias Policy = CircuitBreakerMiddleware.Policy

    private enum State: Sendable {
        /// The most recent outcomes, one bit each, and their number.
        case closed(failures: UInt64, count: Int)
        case open(until: Duration)
        case halfOpen(isProbing: Bool)
    }

    private let policy: Policy
    private var state = State.closed(failures: 0, count: 0)

    /// The failures that opened the circuit; nil while it's closed.
    package private(set) var trip: OpenCircuit.Trip?

    /// Creates a closed circuit breaker.
    package init(_ policy: Policy = Policy()) {
        // Clamps again: the policy's properties may have been changed after its creation.
        self.policy = Policy(
            window: policy.window, minimumCalls: policy.minimumCalls, failureRatio: policy.failureRatio,
            openTime: policy.openTime)
    }

    /// True if all calls are admitted.
    package var isClosed: Bool { if case .closed = state { true } else { false } }

    /// Decides about a new call.
    package mutating func admit(now: Duration) -> Admission {
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

    /// Records the end of an admitted call. Calls that began before the circuit opened change nothing.
    package mutating func ended(_ outcome: Outcome, wasProbe: Bool, now: Duration) {
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
