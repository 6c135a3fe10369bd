internal import NetCore
internal import NetSocketCore

/// The state that both ends of an in-memory WebSocket share. A pure value; ``MockSocket`` drives it.
///
/// The client's view of the end is the error that its task gets; the peer's view is a ``WebSocketPhase``. Each is set
/// once.
struct MockSocketState {
    typealias Waiter = CheckedContinuation<Void, Never>

    private(set) var phase = WebSocketPhase.open
    /// The reason why the client can't receive any more; nil while it can.
    private(set) var ending: NetError?
    /// True if the client has sent its close frame.
    private(set) var isClosing = false
    /// True if the peer no longer reads or writes, without having notified the client.
    private(set) var isDeaf = false
    var log: LoggedWebSocket
    private var pings: [UInt64: Waiter] = [:]
    private var answered: Set<UInt64> = []
    private var lastPing: UInt64 = 0
    private var closers: [Waiter] = []

    init(subprotocol: String?) {
        log = LoggedWebSocket(subprotocol: subprotocol)
    }

    /// Ends the connection for the client. Returns the tasks that were waiting for pongs or for the end.
    mutating func end(_ error: NetError, phase: WebSocketPhase) -> [Waiter] {
        if !self.phase.isOver { self.phase = phase }
        guard ending == nil else { return [] }
        ending = error
        defer { (pings, closers) = ([:], []) }
        return Array(pings.values) + closers
    }

    /// Records that the peer sends its close frame. Returns false if it can't send one any more.
    mutating func peerCloses(_ closure: WebSocketClosure) -> Bool {
        guard phase == .open, !isDeaf else { return false }
        phase = .closing(closure)
        log.closure = closure
        return true
    }

    /// Records that the client sends its close frame. Returns false if the connection has ended or is closing.
    mutating func clientCloses() -> Bool {
        guard ending == nil, !isClosing else { return false }
        isClosing = true
        return true
    }

    mutating func becomeDeaf() {
        isDeaf = true
    }

    /// Registers a task that waits for the end. Returns false if the connection has ended.
    mutating func waitForEnd(_ waiter: Waiter) -> Bool {
        guard ending == nil else { return false }
        closers.append(waiter)
        return true
    }

    // MARK: Pings of the client

    mutating func beginPing() -> UInt64 {
        lastPing += 1
        return lastPing
    }

    /// Registers a task that waits for a pong. Returns false if the pong has arrived or will never arrive.
    mutating func waitForPong(_ id: UInt64, _ waiter: Waiter) -> Bool {
        guard ending == nil, !answered.contains(id) else { return false }
        pings[id] = waiter
        return true
    }

    mutating func answerPing(_ id: UInt64) -> Waiter? {
        log.pings += 1
        answered.insert(id)
        return pings.removeValue(forKey: id)
    }

    /// Removes a ping. Returns true if it was answered, and the task that waits for its pong.
    mutating func finishPing(_ id: UInt64) -> (isAnswered: Bool, waiter: Waiter?) {
        (answered.remove(id) != nil, pings.removeValue(forKey: id))
    }
}
