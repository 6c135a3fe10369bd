package import NetCore

/// Decides when a silent peer is probed, and when it counts as gone.
///
/// | state | byte | deadline |
/// |---|---|---|
/// | quiet since t | quiet since now | probe after the silence: asked |
/// | asked at t | quiet since now | dead after the grace |
///
/// Bytes only store the time: the deadline is moved when it has passed, not for each byte.
package struct LivenessStateMachine: Sendable {
    package enum Action: Equatable {
        /// Set the deadline.
        case wait(Duration)
        /// Probe the peer, and set the deadline.
        case probe(Duration)
        /// The peer is gone.
        case dead
    }

    private let silence: Duration
    private let grace: Duration
    private var lastByte: Duration
    private var askedAt: Duration?

    /// Starts monitoring; the first deadline is ``WebSocketLiveness/silence`` from now.
    package init(_ settings: WebSocketLiveness, now: Duration) {
        silence = settings.silence
        grace = settings.grace
        lastByte = now
    }

    /// Records that something has arrived.
    package mutating func byteArrived(now: Duration) { lastByte = now }

    /// Handles the deadline.
    ///
    /// - Parameter isPaused: True if this side has stopped reading; then the peer's silence is meaningless.
    package mutating func deadlinePassed(now: Duration, isPaused: Bool) -> Action {
        if isPaused { lastByte = now }
        // A byte with the same time arrived after the probe: the clock may not have advanced between the two.
        if let asked = askedAt, asked > lastByte {
            let left = asked + grace - now
            // The response may arrive long before the grace is over; the silence after it counts from then.
            return left > .zero ? .wait(min(left, silence)) : .dead
        }
        askedAt = nil
        let left = lastByte + silence - now
        if left > .zero { return .wait(left) }
        askedAt = now
        return .probe(min(grace, silence))
    }
}
