internal import NetCore
internal import NetSocketCore

/// The effects of a change of ``PairEndState``, for ``PairEnd`` to perform without its lock.
struct PairEffects: Sendable {
    /// A new deadline; with `after` nil, removes the deadline.
    struct Deadline: Sendable {
        /// The number of the change: an older one must not replace a newer one.
        var number: Int
        var after: Duration?
    }

    /// The tasks that can continue.
    var waiters: [WaiterList<Void>.Waiter] = []
    var pings: [WaiterList<Pings.Outcome>.Waiter] = []
    var deadline: Deadline?
    /// True if bytes were written.
    var hasWritten = false
    /// True if paused reading may continue.
    var resumesReading = false
    /// True if the senders must try again.
    var wakesSenders = false
    /// True if the peer's end was read and waits for the receiver.
    var isHolding = false
    /// True if this end is over.
    var hasEnded = false
    /// The way in which the connection fails.
    var failure: WebSocketFaults.Failure?
    /// The reports for listeners.
    var reports: [@Sendable (SocketRecorder) -> Void] = []
    /// The probe message for a silent peer.
    var question: (@Sendable () -> WebSocketMessage)?
}
