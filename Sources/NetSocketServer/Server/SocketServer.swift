#if Server
public import NetCore
internal import NetSocketCore

/// A typed WebSocket server.
///
///     struct User: Sendable { var name: String }
///     var router = SocketRouter<User>()
///     router.channel("room:*")
///     let server = SocketServer(router: router) { handshake in
///         handshake.bearer == "secret" ? User(name: "ada") : nil
///     }
///     try await server.run()
///
/// ``run()`` listens on a port of its own. In a program that has an HTTP server already, mount a ``SocketUpgrader`` there and
/// call ``serve()`` instead. ``serve(_:handshake:)`` serves an open link, so that a test needs no port.
public struct SocketServer<Principal: Sendable>: Sendable {
    let core: ServerCore

    init(_ core: ServerCore) {
        self.core = core
    }

    /// Creates a server that finds out in the handshake who a client is.
    ///
    /// - Parameters:
    ///   - router: How clients are answered.
    ///   - configuration: How it listens, and its limits.
    ///   - authenticate: Returns who a client is; nil refuses it with 401. A ``SocketRefusal`` that is thrown refuses it with
    ///     its status, and any other error with 403.
    public init(
        router: SocketRouter<Principal>, configuration: SocketServerConfiguration = SocketServerConfiguration(),
        authenticate: @escaping @Sendable (SocketHandshake) async throws -> Principal?
    ) {
        core = ServerCore(
            router.table, configuration,
            authenticate: { handshake in try await authenticate(handshake).map { Identity(principal: $0) } },
            anonymous: nil)
    }

    /// Creates a server that finds out in the handshake who a client is, which user it belongs to, and for how long.
    ///
    /// - Parameters:
    ///   - router: How clients are answered.
    ///   - configuration: How it listens, and its limits.
    ///   - identify: Returns who a client is; nil refuses it with 401. A ``SocketRefusal`` that is thrown refuses it with its
    ///     status, and any other error with 403.
    public init(
        identifying router: SocketRouter<Principal>,
        configuration: SocketServerConfiguration = SocketServerConfiguration(),
        by identify: @escaping @Sendable (SocketHandshake) async throws -> SocketIdentity<Principal>?
    ) {
        core = ServerCore(
            router.table, configuration, authenticate: { try await identify($0)?.erased }, anonymous: nil)
    }

    /// Creates a server that learns from a client's first message who it is (``SocketRouter/onCredentials(_:check:)``).
    public init(
        byCredentials router: SocketRouter<Principal>,
        configuration: SocketServerConfiguration = SocketServerConfiguration()
    ) {
        core = ServerCore(router.table, configuration, authenticate: nil, anonymous: nil)
    }

    // MARK: Serving

    /// Listens and serves until the task is cancelled. Then it drains: it accepts nothing more, lets running commands end,
    /// closes each connection with 1001, and returns when the last has ended.
    ///
    /// Throws the system's error if it can't listen, the engine's if that can't be opened, and `.invalidRequest` if it has run
    /// before.
    public func run() async throws {
        let listener = SocketListener(core)
        try await serve {
            try await listener.start()
        } stop: {
            await listener.stop()
        }
        await listener.end()
    }

    /// Serves the connections of ``SocketUpgrader`` and ``serve(_:handshake:)`` until the task is cancelled, and then drains.
    public func serve() async throws {
        try await serve {
        } stop: {
        }
    }

    /// The tasks of the server aren't those of the caller, since draining begins when the caller is cancelled.
    private func serve(
        begin: @escaping @Sendable () async throws -> Void, stop: @escaping @Sendable () async -> Void
    ) async throws {
        try await core.begin()
        let task = Task { [core] in
            async let serving: Void = core.serve()
            do { try await begin() } catch {
                core.beginDraining()
                await serving
                throw error
            }
            await core.waitForDraining()
            await stop()
            await serving
        }
        try await core.drainingOnGracefulShutdown {
            try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                core.beginDraining()
            }
        }
    }

    /// Waits until the server serves. Throws `CancellationError` if the task is cancelled, or the server has ended.
    public func ready() async throws { try await core.ready() }

    /// Drains and ends ``run()`` or ``serve()``. Calling it again changes nothing.
    public func stop() { core.beginDraining() }

    /// The address that ``run()`` listens on; waits until it does. Throws `CancellationError` if the task is cancelled, or the
    /// server ends, before that.
    public var address: SocketServerAddress {
        get async throws { try await core.address }
    }

    // MARK: Who is here

    /// The open connections, in the order of their handshakes.
    public var connections: [SocketConnection<Principal>] {
        core.connections.all.sorted { $0.id < $1.id }.compactMap { typed($0) }
    }

    /// An open connection; nil if there is none with this ID.
    public func connection(_ id: CallID) -> SocketConnection<Principal>? { core.connections[id].flatMap { typed($0) } }

    /// The users that have a connection, in the order of their names.
    public var users: [String] { core.connections.users }

    /// The channels that somebody is in, in the order of their names.
    public var topics: [String] { core.channels.topics }

    /// The connections that are in a channel on this server, or in those of a pattern that ends with `*`.
    public func members(of topic: String) -> [SocketConnection<Principal>] {
        core.channels.topics(matching: topic).flatMap { core.channels.members(of: $0) }.compactMap { typed($0) }
    }

    private func typed(_ connection: ServerConnection) -> SocketConnection<Principal>? {
        (connection.identity.principal as? Principal).map { SocketConnection(connection, $0) }
    }

    // MARK: To whom

    /// The connections of a user, by the name that ``SocketIdentity/user`` gave it.
    public func user(_ name: String) -> SocketAudience { SocketAudience(core, .user(name)) }

    /// The members of a channel, on all servers that share the engine; or those of all channels whose names begin like a pattern
    /// that ends with `*`, as far as somebody on this server is in them.
    public func channel(_ topic: String) -> SocketAudience { SocketAudience(core, .topics(topic)) }

    /// All connections of this server.
    public var everybody: SocketAudience { SocketAudience(core, .all) }
}

extension SocketServer where Principal == Void {
    /// Creates a server for clients that nobody has to know.
    public init(
        router: SocketRouter<Void>, configuration: SocketServerConfiguration = SocketServerConfiguration()
    ) {
        core = ServerCore(
            router.table, configuration, authenticate: nil,
            anonymous: router.table.credentials == nil ? Identity(principal: ()) : nil)
    }
}

/// Where a server listens.
public struct SocketServerAddress: Sendable, Hashable, CustomStringConvertible {
    /// The host, as an address.
    public var host: String
    /// The port.
    public var port: Int
    /// Whether it speaks TLS.
    public var isSecure: Bool

    /// The beginning of a WebSocket's URL, such as `ws://127.0.0.1:8080`.
    public var url: String { "\(isSecure ? "wss" : "ws")://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
    public var description: String { url }
}
#endif
