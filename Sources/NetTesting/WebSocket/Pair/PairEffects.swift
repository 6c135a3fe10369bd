internal import NetCore
internal import NetSocketCore

/// The effects of a change of ``PairEndState``, for ``PairEnd`` to perform without its lock.
struct PairEffects: Sendable {
    /// A new deadline; nil to have none.
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
    /// True if reading, which has paused, may go on.
    var resumesReading = false
    /// True if the senders must try again.
    var wakesSenders = false
    /// True if the end of the peer was read and waits for the receiver.
    var isHolding = false
    /// True if this end is over.
    var hasEnded = false
    /// The way in which the connection fails.
    var failure: WebSocketFaults.Failure?
    /// What listeners are told.
    var reports: [@Sendable (SocketRecorder) -> Void] = []
    /// The question to the silent peer.
    var question: (@Sendable () -> WebSocketMessage)?
}
