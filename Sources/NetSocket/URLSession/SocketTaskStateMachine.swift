#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import NetCore
internal import NetSocketCore

/// One WebSocket between a task of URLSession, which reports events, and its callers, which wait. A pure value;
/// ``SocketTaskDriver`` drives it.
///
/// | state | message | receive, send or ping fails | peer's close | task completes | close here | deadline |
/// |---|---|---|---|---|---|---|
/// | connecting | – | – | – | refused or failed: ended | – | timeout: ended |
/// | open | inbox | ending, reason open | ending | ending | closing | asks a silent peer, or ended |
/// | closing | dropped | – | ended | ended | – | ended |
/// | ending | inbox | ended once the reason is known | reason known | reason known | ended | reason known, or ended |
/// | ended | – | – | – | – | – | cancels a task that continues |
///
/// In the state "ending", the machine receives the messages that URLSession still has; URLSession reports the end
/// before it has delivered them.
struct SocketTaskStateMachine: Sendable {
    typealias Waiters = WaiterList<Outcome>

    /// The settings of one WebSocket.
    struct Settings: Sendable {
        var maximumMessageBytes = 1 << 20
        var inboxBytes = 1 << 20
        var sendBufferBytes = 1 << 20
        /// The subprotocols that the request offers.
        var subprotocols: [String] = []
        /// The limit from the start of the task to the open WebSocket; nil for none.
        var connectTimeout: Duration?
        var liveness: WebSocketLiveness?
    }

    /// The result that a waiting task gets.
    enum Outcome: Sendable {
        case opened(ResponseHead, subprotocol: String?)
        case refused(ResponseHead)
        /// The message is in the send buffer, the connection has ended, or there is something to receive.
        case done
        case answered(Duration)
        case failed(NetError)
    }

    /// An effect, to be performed in order once the state has changed.
    enum Action: Sendable {
        case start
        case receive
        case send(WebSocketMessage)
        case sendPing(UInt64)
        /// Send the close frame.
        case close(WebSocketClosure)
        case cancel
        /// Make the message that asks a silent peer to respond, and send it.
        case ask(@Sendable () -> WebSocketMessage)
        /// Replace the deadline; nil for none.
        case setDeadline(Duration?, number: Int)
        case resume(Waiters.ID, Outcome)
        case report(Report)
    }

    /// A report to the WebSocket's listeners.
    enum Report: Sendable {
        case opened(subprotocol: String?)
        case received(WebSocketMessage)
        case roundTrip(Duration)
        case closed(NetError)
    }

    enum State: Sendable {
        case connecting
        case open
        case closing(WebSocketClosure)
        case ending(NetError, isCertain: Bool)
        case ended(NetError)
    }

    /// The cost of a message in addition to its payload, in bytes, so that a flood of empty messages is bounded, too.
    static let messageCost = 64
    /// The time limit of the closing handshake.
    static let closeTimeout = Duration.seconds(5)
    /// The time limit for URLSession to report the reason of its end, and to deliver each message from before the end.
    static let endTimeout = Duration.seconds(1)
    /// The name of the peer in error messages.
    static let peer = "the server"

    let settings: Settings
    let origin: SocketOrigin
    var state = State.connecting
    var waiters = Waiters()
    var opener: Waiters.ID?
    var closers: [Waiters.ID] = []
    private var actions: [Action] = []
    private var deadlines = 0
    /// True once URLSession has reported the end of the task.
    var isComplete = false

    // Receiving.
    var inbox: [WebSocketMessage] = []
    var inboxBytes = 0
    var receiver: Waiters.ID?
    /// True while a `receive` of URLSession is outstanding.
    var isReceiving = false
    /// False once a `receive` has failed.
    var canReceive = true
    /// The time at which the last message or pong arrived.
    var lastSign: Duration
    var watch: LivenessStateMachine?

    // Sending.
    var queue: ArraySlice<WebSocketMessage> = []
    /// The cost of the messages in the queue and of the one that URLSession is sending.
    var queuedBytes = 0
    /// The message that URLSession is sending.
    var sending: WebSocketMessage?
    var suspended: [(id: Waiters.ID, message: WebSocketMessage)] = []
    var hasSentClose = false
    var pings: [UInt64: (start: Duration, waiter: Waiters.ID?)] = [:]
    var lastPing: UInt64 = 0

    init(_ settings: Settings, origin: SocketOrigin, now: Duration) {
        self.settings = settings
        self.origin = origin
        lastSign = now
    }

    /// Returns and removes the effects of the changes so far.
    mutating func takeActions() -> [Action] {
        defer { actions = [] }
        return actions
    }

    mutating func act(_ action: Action) { actions.append(action) }

    mutating func setDeadline(_ time: Duration?) {
        deadlines += 1
        act(.setDeadline(time, number: deadlines))
    }

    /// Handles a deadline, unless a later one has replaced it.
    mutating func deadlinePassed(_ number: Int, now: Duration) {
        guard number == deadlines else { return }
        switch state {
        case .connecting:
            let limit = settings.connectTimeout.map { $0.seconds(places: 3) } ?? "?"
            failOpening(
                origin.error(
                    .timeout, phase: .connecting, message: "no response to the opening handshake within \(limit) s"))
        case .open: checkLiveness(now: now)
        case .closing(let closure): finish(origin.unconfirmed(closure, peer: Self.peer), cancels: true)
        case .ending(let error, let isCertain): endTimeoutPassed(error, isCertain: isCertain)
        case .ended: if !isComplete { act(.cancel) }
        }
    }

    // MARK: Opening

    /// Starts the task. Returns the ID of the caller that waits for the WebSocket.
    mutating func begin() -> Waiters.ID {
        let id = waiters.register()
        opener = id
        act(.start)
        if let limit = settings.connectTimeout { setDeadline(limit) }
        return id
    }

    mutating func didOpen(_ head: ResponseHead, subprotocol: String?, now: Duration) {
        guard case .connecting = state else { return }
        if let subprotocol, !settings.subprotocols.contains(subprotocol) {
            failOpening(
                origin.error(
                    .protocolViolation, phase: .waiting,
                    message: "the response to the opening handshake has a subprotocol that was not offered"))
            return
        }
        state = .open
        lastSign = now
        act(.report(.opened(subprotocol: subprotocol)))
        resume(\.opener, .opened(head, subprotocol: subprotocol))
        watch = settings.liveness.map { LivenessStateMachine($0, now: now) }
        setDeadline(settings.liveness?.silence)
        askForMore()
    }

    mutating func failOpening(_ error: NetError) {
        let error = origin.completing(error)
        state = .ended(error)
        resume(\.opener, .failed(error))
        setDeadline(nil)
        if !isComplete { act(.cancel) }
    }

    mutating func resume(_ waiter: WritableKeyPath<Self, Waiters.ID?>, _ outcome: Outcome) {
        if let id = self[keyPath: waiter].take() { act(.resume(id, outcome)) }
    }
}
#endif
