#if Server
internal import Logging
internal import NIOCore
internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// A server without the program's types: its settings, its registries and its lifecycle.
final class SocketServerCore: Sendable {
    /// The lifecycle of a server.
    enum Phase: Sendable {
        case idle
        case running
        case draining
        case over
    }

    struct State: Sendable {
        var phase = Phase.idle
        var hasBegun = false
        /// True once connections are accepted.
        var isReady = false
        /// The error that the server has ended with, before it was ready.
        var failure: (any Error)?
        var lanes: [ObjectIdentifier: (lane: LoopLane, runner: CommandRunner)] = [:]
        var address: SocketServerAddress?
        var waiters = WaiterList<Void>()
        /// The reconnect delays for the clients of a server that is ending, and the number of clients that have
        /// received one.
        var hints: ReconnectHints?
        var drained = 0
        /// True unless handlers run, or can be started.
        var isIdle = true
        /// Called in the task of the handlers when they have all returned.
        var whenIdle: (@Sendable () async -> Void)?
    }

    typealias Authenticate = @Sendable (SocketHandshake) async throws -> Identity?
    typealias FirstMessage = @Sendable (SocketPayload?, ConnectionHead) async throws -> Identity?

    let configuration: SocketServerConfiguration
    let table: RouterTable
    let clock: NetClock
    let logger: Logger
    /// True if commands and joins are logged.
    let logsDetails: Bool
    /// The name of this server among those that share an engine.
    let node: String
    let engine: any FanOutEngine
    let channels: ChannelRegistry
    let connections = OpenConnections()
    /// nil for a server whose engine isn't shared.
    let users: UserDirectory?
    let sessions: SessionStore
    let pacer: Pacer
    /// nil if clients don't authenticate in the handshake.
    let authenticate: Authenticate?
    /// The identity of clients that don't authenticate; nil if they have to.
    let anonymous: Identity?
    let metrics: SocketServerMetrics
    let pending: PendingHandshakes
    let authentications: Authentications
    /// nil if no listener observes the server.
    let observer: ServerObserver?
    /// The listeners that observe each WebSocket.
    private let socketListeners: [SocketEventListener]
    let admissions: Mutex<AddressLimits>
    private let wireNumbers = Mutex<[String: Int]>([:])
    let state = Mutex(State())
    /// Runs work that belongs to no connection, the handlers of connections over links, and the runners of the lanes.
    let runner = CommandRunner(on: nil)
    /// The tasks of the program's functions.
    let tasks = ServerTasks()

    init(
        _ table: RouterTable, _ configuration: SocketServerConfiguration, authenticate: Authenticate?,
        anonymous: Identity?
    ) {
        self.table = table
        self.configuration = configuration
        self.authenticate = authenticate
        self.anonymous = anonymous
        clock = configuration.clock
        logger = configuration.logger
        logsDetails = configuration.logger.logLevel <= .debug
        metrics = configuration.metrics
        pending = PendingHandshakes(configuration.limits.pendingHandshakes)
        authentications = Authentications(maximumCount: configuration.limits.pendingHandshakes, tasks: tasks)
        admissions = Mutex(AddressLimits(configuration.limits))
        let id = CallID(date: configuration.clock.date(), random: configuration.random)
        node = id.description
        observer = ServerObserver(configuration, server: id)
        socketListeners = configuration.listeners.compactMap { SocketEventListener($0) }
        engine = configuration.fanOut ?? MemoryFanOut()
        pacer = Pacer(configuration.clock)
        channels = ChannelRegistry(
            engine, node: node, clock: configuration.clock, pacer: pacer, metrics: configuration.metrics)
        users = configuration.fanOut.map { [runner] in
            UserDirectory($0, node: id.description, clock: configuration.clock, runner: runner)
        }
        sessions = SessionStore(
            configuration.clock, retention: configuration.sessionRetention,
            maximumCount: configuration.maximumSessions)
    }

    var firstMessage: FirstMessage? { table.credentials?.check }

    func makeID() -> CallID { CallID(date: clock.date(), random: configuration.random) }

    // MARK: Routes

    func order(of request: WireRequest) -> ConnectionMachine.Order {
        table.route(request.event)?.order == .concurrent ? .concurrent : .serial
    }

    /// Returns the route of a command; nil for other work, and for commands without a handler.
    func route(of work: ConnectionMachine.Work) -> SocketRoute? {
        if case .command(let request) = work { table.route(request.event) } else { nil }
    }

    func executor(for work: ConnectionMachine.Work, _ route: SocketRoute?) -> SocketExecutor {
        switch work {
        case .command: route?.executor ?? .loop
        case .subscription: table.subscription?.executor ?? .pool
        case .opening, .authentication, .join, .ask: .pool
        }
    }

    /// Returns the number of a wire with its subprotocol; nil if pushes have to be encoded for each connection
    /// separately.
    func sharedWire(_ wire: SocketWire, _ subprotocol: String?) -> Int? {
        guard wire.features.contains(.uniformPushes) else { return nil }
        return wireNumbers.withLock { numbers in
            let key = "\(wire.name) \(subprotocol ?? "")"
            if let number = numbers[key] { return number }
            numbers[key] = numbers.count
            return numbers[key]
        }
    }

    func settings(_ wire: SocketWire, isKnown: Bool) -> ConnectionMachine.Settings {
        var settings = ConnectionMachine.Settings()
        settings.hasOpening = wire.features.contains(.opening)
        if wire.name == SocketWire.graphQLTransport.name { settings.refusalCode = .forbidden }
        settings.maximumSilence = wire.serverHeartbeat?.maximumSilence
        settings.authentication = table.credentials?.event
        settings.awaitsAuthentication = !isKnown
        settings.openingTimeout = configuration.limits.firstMessageTime
        settings.commandTimeout = configuration.commandTimeout
        settings.maximumCommands = configuration.maximumCommands
        // One message of the maximum size doesn't stop the reading; two large ones do.
        settings.maximumCommandBytes = (1 << 20) + min(max(configuration.limits.messageBytes, 0), 1 << 40)
        settings.maximumSubscriptions = configuration.limits.subscriptionsPerConnection ?? .max
        settings.maximumChannels = configuration.limits.channelsPerConnection ?? .max
        settings.requiresJoin = !table.allowsCommandsOutsideChannels && wire.features.contains(.channels)
        settings.rejoinsAfterFailure = wire.features.contains(.crashes)
        settings.delivery = configuration.delivery
        return settings
    }

    // MARK: Connections

    func opened(_ connection: ServerConnection) {
        connections.add(connection)
        users?.note(connection.id, connection.identity.user)
        metrics.connectionOpened()
        connection.observeOpening()
        if phase != .running { connection.lane.run { connection.drain() } }
    }

    func ended(_ connection: ServerConnection) {
        sessions.detached(connection)
        metrics.connectionClosed(connection.closure?.decisiveCode ?? .abnormalClosure)
        // Before the connection is removed: a drain ends when the last one is, and its listeners are informed in this order.
        connection.observeEnd()
        connections.remove(connection)
        users?.note(connection.id, nil)
        release(connection.ticket)
        note(.ended(connection.closure), connection)
    }

    func identified(_ connection: ServerConnection, _ identity: Identity) {
        let now = clock.now()
        connection.machine.authenticated(until: identity.lifetime.map { now + $0 })
        connections.identified(connection, identity.user)
        if connections[connection.id] != nil { users?.note(connection.id, identity.user) }
        observer?.report(.authenticated, connection)
    }

    func dropped(_ count: Int, _ connection: ServerConnection) {
        metrics.pushesDropped(count, .slow)
        observer?.report(.dropped(count, .slow), connection)
    }

    // MARK: Watching

    /// Returns the redacted path of a handshake; empty if there is no listener.
    func shownPath(_ path: String) -> String {
        observer == nil && socketListeners.isEmpty ? "" : configuration.redaction.redact(url: path)
    }

    /// Returns a recorder for one WebSocket; nil if no listener observes WebSockets.
    func makeRecorder(
        _ connection: CallID, _ shownPath: String, _ handshake: CapturedExchange.Request?
    ) -> SocketRecorder? {
        guard !socketListeners.isEmpty else { return nil }
        return SocketRecorder(
            socketListeners, connection, on: .server, url: shownPath, redaction: configuration.redaction,
            handshake: handshake, clock: clock)
    }

    /// Returns the handshake with its secrets; nil if no listener records messages or their beginnings.
    func captured(_ handshake: SocketHandshake) -> CapturedExchange.Request? {
        guard socketListeners.contains(where: { !$0.interest.isDisjoint(with: [.socketMessages, .socketPreviews]) })
        else {
            return nil
        }
        let query = handshake.query.map { PercentEncoding.encode($0) + "=" + PercentEncoding.encode($1) }
        return CapturedExchange.Request(
            method: .get, url: handshake.path + "?" + query.joined(separator: "&"), headers: handshake.headers)
    }

    /// Returns the trace that a handshake belongs to.
    func origin(of handshake: SocketHandshake) -> TraceOrigin { observer?.origin(handshake.headers) ?? TraceOrigin() }

    // MARK: Delivering

    /// Delivers a push to connections, on their lanes.
    ///
    /// - Parameter user: The user whose connections they are; nil for any.
    func deliver(_ push: WirePush, to receivers: [ServerConnection], of user: String? = nil) async {
        let shared = SharedPush(push, to: user)
        for lane in onLanes(of: receivers, { $0.receive(shared) }) { await lane.settle() }
    }

    /// Runs a function for each connection, with one work item for each lane. Returns the lanes.
    @discardableResult
    func onLanes(
        of connections: [ServerConnection], _ body: @escaping @Sendable (ServerConnection) -> Void
    ) -> [any Lane] {
        var groups: [ServerChannel.Group] = []
        var indices: [ObjectIdentifier: Int] = [:]
        for connection in connections {
            let key = ObjectIdentifier(connection.lane)
            if let index = indices[key] {
                groups[index].members.append(connection)
            } else {
                indices[key] = groups.count
                groups.append(ServerChannel.Group(lane: connection.lane, members: [connection]))
            }
        }
        for group in groups { group.lane.run { for member in group.members { body(member) } } }
        return groups.map(\.lane)
    }
}
#endif
