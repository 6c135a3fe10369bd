internal import NetCore

/// What both ends of a WebSocket in memory know of its life. Pure; ``MockSocket`` drives it.
///
/// The client's end is an error, as its task sees it; the peer's end is a ``WebSocketPhase``. Either is set once.
struct MockSocketState {
    typealias Waiter = CheckedContinuation<Void, Never>

    private(set) var phase = WebSocketPhase.open
    /// Why the client can receive nothing more.
    private(set) var ending: NetError?
    /// The client's close frame is out.
    private(set) var isClosing = false
    /// The peer reads and writes nothing any more, without having told anybody.
    private(set) var isDeaf = false
    var log: LoggedWebSocket
    private var pings: [UInt64: Waiter] = [:]
    private var answered: Set<UInt64> = []
    private var lastPing: UInt64 = 0
    private var closers: [Waiter] = []

    init(subprotocol: String?) {
        log = LoggedWebSocket(subprotocol: subprotocol)
    }

    /// The connection is over for the client; returns who waited for that.
    mutating func end(_ error: NetError, phase: WebSocketPhase) -> [Waiter] {
        if !self.phase.isOver { self.phase = phase }
        guard ending == nil else { return [] }
        ending = error
        defer { (pings, closers) = ([:], []) }
        return Array(pings.values) + closers
    }

    /// The peer sends its close frame; false when it may not any more.
    mutating func peerCloses(_ closure: WebSocketClosure) -> Bool {
        guard phase == .open, !isDeaf else { return false }
        phase = .closing(closure)
        log.closure = closure
        return true
    }

    /// The client sends its close frame; false when the connection is over or closing.
    mutating func clientCloses() -> Bool {
        guard ending == nil, !isClosing else { return false }
        isClosing = true
        return true
    }

    mutating func becomeDeaf() {
        isDeaf = true
    }

    /// Waits for the end; false when it has come.
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

    /// Waits for the pong; false when it is there, or will never come.
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

    /// Takes the ping out; true when it was answered.
    mutating func finishPing(_ id: UInt64) -> (isAnswered: Bool, waiter: Waiter?) {
        (answered.remove(id) != nil, pings.removeValue(forKey: id))
    }
}
