#if Server
internal import NetCore
internal import NetSocketCore

/// What a server knows of one connection's conversation: who may speak, which commands run, which channels it is in, and what
/// was numbered. Pure: time comes in, effects come out.
///
/// | phase | signal | work ends | tick | drain | close |
/// |---|---|---|---|---|---|
/// | opening | opens, or is held | accepted: open; refused: over | too late: over | over | over |
/// | open | starts work, or waits for a turn | replies, starts what waits | too long: fails it | draining | over |
/// | draining | held back by the transport | replies; the last one: over | deadline: over | – | over |
/// | over | – | a session's command: replies, starts what waits | too long: fails it | – | – |
struct ConnectionMachine: Sendable {
    typealias WorkID = UInt64

    /// What a handler is to do. Indirect: on its way to the handler it is copied about ten times.
    indirect enum Work: Sendable, Hashable {
        case opening(SocketPayload?)
        case authentication(WireRequest)
        case command(WireRequest)
        case subscription(SocketID, SocketPayload)
        case join(WireJoin)
    }

    /// How work ended.
    enum Outcome: Sendable, Hashable {
        /// A command, or an opening.
        case done(SocketPayload?)
        case joined(WireJoined)
        case failed(SocketFailure)
    }

    enum Effect: Sendable, Hashable {
        case send(WireSignal)
        case start(WorkID, Work)
        case cancel(WorkID)
        /// The connection isn't in a channel any more.
        case leave(String)
        case resume(WireResume)
        case setReading(Bool)
        case close(WebSocketCloseCode, String)
        /// The connection's work is done, and it may end.
        case drained
        /// The commands that ran when the session went on with another connection have ended: the next may run there.
        case passTurn
    }

    /// Whether a command waits for those before it.
    enum Order: Sendable, Hashable {
        case serial
        case concurrent
    }

    struct Settings: Sendable, Hashable {
        /// The wire begins with an opening message that the server must accept.
        var hasOpening = false
        /// The command by which a client says who it is, and renews its credentials; nil if it has no such command.
        var authentication: String?
        /// Whether nobody is known before that command.
        var awaitsAuthentication = false
        /// The longest silence of the server that clients are told to accept.
        var maximumSilence: Duration?
        var openingTimeout = Duration.seconds(10)
        /// Closes a connection whose opening message is refused, unless it is the credentials that are wrong.
        var refusalCode = WebSocketCloseCode.unauthorized
        var commandTimeout: Duration? = .seconds(30)
        /// Commands and joins that run or wait, from which on reading stops. Handlers that were cancelled count until they return.
        var maximumCommands = 64
        /// The size of their messages, from which on reading stops.
        var maximumCommandBytes = 2 << 20
        /// Commands that wait. More of them come in one message only, and are refused.
        var maximumWaiting: Int { max(maximumCommands, 1) * 16 }
        var maximumSubscriptions = 100
        /// The size of the name of a channel or a session.
        var maximumNameBytes = 1024
        var maximumChannels = 100
        var maximumHeldSignals = 100
        var maximumHeldBytes = 64 << 10
        var requiresJoin = true
        var delivery = SocketDelivery()
    }

    enum Phase: Sendable, Hashable {
        case opening(deadline: Duration)
        case open
        case draining
        case over
    }

    struct Running: Sendable, Hashable {
        var id: WorkID
        var work: Work
        var isSerial: Bool
        var deadline: Duration?
    }

    let settings: Settings
    var phase: Phase
    var running: [Running] = []
    var waiting: [(id: WorkID, work: Work, order: Order)] = []
    var held: [WireSignal] = []
    var heldBytes = 0
    /// The handlers that nobody waits for any more and that haven't returned, with the sizes of their messages.
    var abandoned: [WorkID: Int] = [:]
    var topics: Set<String> = []
    var delivery: DeliveryMachine?
    /// When the credentials end; nil for never.
    var expiry: Duration?
    var lastID: WorkID = 0
    var isReading = true
    /// A session is being looked up; what else arrives is held.
    var isResuming = false
    /// The connection has, or had, a session that numbers its messages. What it has received counts as done, so its commands go
    /// on when the connection ends.
    var keepsCommands = false
    /// Commands of the session run on the connection before this one, and those here wait for their turn.
    var waitsForTurn = false
    /// The connection after this one waits for that.
    var owesTurn = false

    init(_ settings: Settings, now: Duration) {
        self.settings = settings
        let waits = settings.hasOpening || settings.awaitsAuthentication
        phase = waits ? .opening(deadline: now + settings.openingTimeout) : .open
    }

    var isOver: Bool { phase == .over }
    var isIdle: Bool { running.isEmpty && waiting.isEmpty }
}
#endif
