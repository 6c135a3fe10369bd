#if Server
internal import NetCore
internal import NetSocketCore

/// The state of one connection's conversation: authentication, running commands, channels and numbered messages. Pure:
/// time comes in, effects come out.
///
/// | phase | signal | work ends | tick | drain | close |
/// |---|---|---|---|---|---|
/// | opening | opens, or is held | accepted: open; refused: over | too late: over | over | over |
/// | open | starts work, or waits for a turn | replies, starts waiting work | too long: fails it | draining | over |
/// | draining | held back by the transport | replies; the last one: over | deadline: over | – | over |
/// | over | – | a session's command: replies, starts waiting work | too long: fails it | – | – |
struct ConnectionMachine: Sendable {
    typealias WorkID = UInt64

    /// Work for a handler. Indirect: on its way to the handler it is copied about ten times.
    indirect enum Work: Sendable, Hashable {
        case opening(SocketPayload?)
        case authentication(WireRequest)
        case command(WireRequest)
        case subscription(SocketID, SocketPayload)
        case join(WireJoin)
        /// Asks a channel that the connection is in if its new user may stay.
        case ask(String)
    }

    /// The outcome of work.
    enum Outcome: Sendable, Hashable {
        /// The outcome of a command or an opening.
        case done(SocketPayload?)
        case joined(WireJoined)
        case failed(SocketFailure)
    }

    enum Effect: Sendable, Hashable {
        case send(WireSignal)
        case start(WorkID, Work)
        case cancel(WorkID)
        /// The connection has left a channel.
        case leave(String)
        case resume(WireResume)
        case setReading(Bool)
        case close(WebSocketCloseCode, String)
        /// The connection's work is done, and the connection may end.
        case drained
        /// The commands that were running when another connection took over the session have ended: the next command
        /// may run there.
        case passTurn
        /// From here on, messages wait in the outbox.
        case hold
        /// Removes the pushes of a channel from the outbox.
        case discard(String)
        /// The messages in the outbox may be sent.
        case release
    }

    /// The order of a command relative to earlier commands.
    enum Order: Sendable, Hashable {
        case serial
        case concurrent
    }

    struct Settings: Sendable, Hashable {
        /// The wire begins with an opening message that the server must accept.
        var hasOpening = false
        /// The command by which a client authenticates and renews its credentials; nil if there is none.
        var authentication: String?
        /// True if clients are unknown until they send that command.
        var awaitsAuthentication = false
        /// The longest silence of the server that clients are asked to accept.
        var maximumSilence: Duration?
        var openingTimeout = Duration.seconds(10)
        /// The close code for a connection whose opening message is refused, unless its credentials are wrong.
        var refusalCode = WebSocketCloseCode.unauthorized
        var commandTimeout: Duration? = .seconds(30)
        /// The number of running or waiting commands and joins at which reading stops. Canceled handlers count until
        /// they return.
        var maximumCommands = 64
        /// The total size of their messages, in bytes, at which reading stops.
        var maximumCommandBytes = 2 << 20
        /// The maximum number of waiting commands. Only a single message with many commands can exceed it; the excess
        /// is refused.
        var maximumWaiting: Int { max(maximumCommands, 1) * 16 }
        var maximumSubscriptions = 100
        /// The maximum size of the name of a channel or a session.
        var maximumNameBytes = 1024
        var maximumChannels = 100
        var maximumHeldSignals = 100
        var maximumHeldBytes = 64 << 10
        var requiresJoin = true
        /// True if clients of the wire join a channel again that they left because of a failure.
        var rejoinsAfterFailure = false
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

    struct Abandoned: Sendable, Hashable {
        /// The size of its message.
        var weight: Int
        /// The channel of a join.
        var joins: String?

        init(_ work: Work) {
            weight = work.weight
            joins = work.isJoin ? work.topic : nil
        }
    }

    let settings: Settings
    var phase: Phase
    var running: [Running] = []
    var waiting: [(id: WorkID, work: Work, order: Order)] = []
    var held: [WireSignal] = []
    var heldBytes = 0
    /// The handlers whose outcome isn't needed any more and that haven't returned.
    var abandoned: [WorkID: Abandoned] = [:]
    var topics: Set<String> = []
    var delivery: DeliveryMachine?
    /// The time at which the credentials expire; nil for never.
    var expiry: Duration?
    var lastID: WorkID = 0
    var isReading = true
    /// True while a session is being looked up; other signals are held meanwhile.
    var isResuming = false
    /// True while renewed credentials are checked and the channels are asked about a new user; other signals are held
    /// meanwhile.
    var isIdentifying = false
    /// The credentials that get their reply when all channels have decided.
    var changed: WireRequest?
    /// True once the connection has had a session that numbers its messages. Its received commands count as done, so
    /// they keep running when the connection ends.
    var keepsCommands = false
    /// True while the session's commands run on the previous connection, and the commands here wait for their turn.
    var waitsForTurn = false
    /// True if the next connection waits until the session's commands here have ended.
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
