package import NetCore

/// Decides when a silent peer is asked for a sign of life, and when it counts as gone.
///
/// | state | byte | deadline |
/// |---|---|---|
/// | quiet since t | quiet since now | ask after the silence: asked |
/// | asked at t | quiet since now | dead after the grace |
///
/// Bytes only store the time: the deadline is moved when it has passed, and not for each of them.
package struct LivenessStateMachine: Sendable {
    package enum Action: Equatable {
        /// Set the deadline.
        case wait(Duration)
        /// Ask the peer, and set the deadline.
        case probe(Duration)
        /// The peer is gone.
        case dead
    }

    private let silence: Duration
    private let grace: Duration
    private var lastByte: Duration
    private var askedAt: Duration?

    /// Begins to watch; the first deadline is ``WebSocketLiveness/silence`` from now.
    package init(_ settings: WebSocketLiveness, now: Duration) {
        silence = settings.silence
        grace = settings.grace
        lastByte = now
    }

    /// Records that something has arrived.
    package mutating func byteArrived(now: Duration) { lastByte = now }

    /// Handles the deadline.
    ///
    /// - Parameter isPaused: True if this side has stopped reading; the peer's silence then means nothing.
    package mutating func deadlinePassed(now: Duration, isPaused: Bool) -> Action {
        if isPaused { lastByte = now }
        // A byte of the same instant has come after the question: time may stand still between the two.
        if let asked = askedAt, asked > lastByte {
            let left = asked + grace - now
            // An answer may come long before the grace is over; the silence after it counts from there.
            return left > .zero ? .wait(min(left, silence)) : .dead
        }
        askedAt = nil
        let left = lastByte + silence - now
        if left > .zero { return .wait(left) }
        askedAt = now
        return .probe(min(grace, silence))
    }
}
