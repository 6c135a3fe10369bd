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
/// ``run()`` listens on its own port. In a program that already has an HTTP server, mount a ``SocketUpgrader`` there
/// and call ``serve()`` instead. ``serve(_:target:headers:)`` serves an open link, so that a test needs no port.
public struct SocketServer<Principal: Sendable>: Sendable {
    let core: SocketServerCore

    init(_ core: SocketServerCore) {
        self.core = core
    }

    /// Creates a server that authenticates clients in the handshake.
    ///
    /// - Parameters:
    ///   - router: The handlers of commands, and the rules of channels.
    ///   - configuration: The server's address, limits and other settings.
    ///   - authenticate: Returns the client's principal; nil refuses the client with 401. If it throws a
    ///     ``SocketRefusal``, the client is refused with its status; any other error refuses it with 403.
    public init(
        router: SocketRouter<Principal>, configuration: SocketServerConfiguration = SocketServerConfiguration(),
        authenticate: @escaping @Sendable (SocketHandshake) async throws -> Principal?
    ) {
        core = SocketServerCore(
            router.table, configuration,
            authenticate: { handshake in try await authenticate(handshake).map { Identity(principal: $0) } },
            anonymous: nil)
    }

    /// Creates a server that, in the handshake, determines a client's principal, its user, and the lifetime of its
    /// credentials.
    ///
    /// - Parameters:
    ///   - router: The handlers of commands, and the rules of channels.
    ///   - configuration: The server's address, limits and other settings.
    ///   - identify: Returns the client's identity; nil refuses the client with 401. If it throws a ``SocketRefusal``,
    ///     the client is refused with its status; any other error refuses it with 403.
    public init(
        identifying router: SocketRouter<Principal>,
        configuration: SocketServerConfiguration = SocketServerConfiguration(),
        by identify: @escaping @Sendable (SocketHandshake) async throws -> SocketIdentity<Principal>?
    ) {
        core = SocketServerCore(
            router.table, configuration, authenticate: { try await identify($0)?.erased }, anonymous: nil)
    }

    /// Creates a server that authenticates a client by its first message (``SocketRouter/onCredentials(_:check:)``).
    public init(
        byCredentials router: SocketRouter<Principal>,
        configuration: SocketServerConfiguration = SocketServerConfiguration()
    ) {
        core = SocketServerCore(router.table, configuration, authenticate: nil, anonymous: nil)
    }

    // MARK: Serving

    /// Listens and serves until the task is cancelled. Then it drains: it accepts no new connections, lets running
    /// commands end, closes each connection with 1001, and returns when the last one has ended. It doesn't wait longer
    /// than ``SocketServerConfiguration/drainTimeout`` for handlers that ignore their cancellation.
    ///
    /// Throws ``NetCore/NetError`` with `.connect` if it can't listen, the engine's error if the engine can't be opened,
    /// and `.invalidRequest` if the server has already run.
    public func run() async throws {
        let listener = SocketListener(core)
        do {
            try await serve {
                try await listener.start()
            } stop: {
                await listener.stop()
            }
        } catch {
            await listener.end()
            throw error
        }
        // Handlers that are left behind may need their event loops.
        await core.whenIdle { await listener.end() }
    }

    /// Serves the connections of ``SocketUpgrader`` and ``serve(_:target:headers:)`` until the task is cancelled, and
    /// then drains.
    public func serve() async throws {
        try await serve {
        } stop: {
        }
    }

    /// Runs the server in a separate task, not in the caller's: canceling the caller only starts the draining.
    private func serve(
        begin: @escaping @Sendable () async throws -> Void, stop: @escaping @Sendable () async -> Void
    ) async throws {
        guard try await core.begin() else { return }
        let task = Task { [core] in
            async let serving: Void = core.serve()
            do { try await begin() } catch {
                core.fail(with: error)
                await serving
                throw error
            }
            core.becomeReady()
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

    /// Waits until the server is serving, and listening if it was started with ``run()``. Throws the error of ``run()`` if
    /// that can't begin, and `CancellationError` if the task is cancelled or the server has ended.
    public func ready() async throws { try await core.ready() }

    /// Drains the server and ends ``run()`` or ``serve()``; one that begins later returns immediately. Calling it again has
    /// no effect.
    public func stop() { core.beginDraining() }

    /// The address that ``run()`` listens on; waits until the server is listening. Throws the error of ``run()`` if
    /// that can't listen, and `CancellationError` if the task is cancelled or the server ends before that.
    public var address: SocketServerAddress {
        get async throws { try await core.address }
    }

    // MARK: Who is here

    /// The open connections, in the order of their handshakes.
    public var connections: [SocketConnection<Principal>] {
        core.connections.all.sorted { $0.id < $1.id }.compactMap { typed($0) }
    }

    /// Returns the open connection with an ID; nil if no open connection has it.
    public func connection(_ id: CallID) -> SocketConnection<Principal>? { core.connections[id].flatMap { typed($0) } }

    /// The users that have a connection, in the order of their names.
    public var users: [String] { core.connections.users }

    /// The channels that have members on this server, in the order of their names.
    public var topics: [String] { core.channels.topics }

    /// Returns the connections on this server that are in a channel, or in the channels of a pattern that ends with
    /// `*`.
    public func members(of topic: String) -> [SocketConnection<Principal>] {
        core.channels.topics(matching: topic).flatMap { core.channels.members(of: $0) }.compactMap { typed($0) }
    }

    private func typed(_ connection: ServerConnection) -> SocketConnection<Principal>? {
        let (identity, era) = connection.current
        return (identity.principal as? Principal).map { SocketConnection(connection, $0, era) }
    }

    // MARK: To whom

    /// Returns the connections of a user, by the name that ``SocketIdentity/user`` gave it.
    public func user(_ name: String) -> SocketAudience { SocketAudience(core, .user(name)) }

    /// Returns the members of a channel, on all servers that share the engine. For a pattern that ends with `*`,
    /// returns the members of all channels that match it and have a member on this server.
    public func channel(_ topic: String) -> SocketAudience { SocketAudience(core, .topics(topic)) }

    /// All connections of this server.
    public var everybody: SocketAudience { SocketAudience(core, .all) }
}

extension SocketServer where Principal == Void {
    /// Creates a server whose clients don't authenticate.
    public init(
        router: SocketRouter<Void>, configuration: SocketServerConfiguration = SocketServerConfiguration()
    ) {
        core = SocketServerCore(
            router.table, configuration, authenticate: nil,
            anonymous: router.table.credentials == nil ? Identity(principal: ()) : nil)
    }
}

/// The address that a server listens on.
public struct SocketServerAddress: Sendable, Hashable, CustomStringConvertible {
    /// The host's address.
    public var host: String
    /// The port.
    public var port: Int
    /// True if the server uses TLS.
    public var isSecure: Bool

    /// The scheme and authority of a WebSocket URL, such as `ws://127.0.0.1:8080`.
    public var url: String { "\(isSecure ? "wss" : "ws")://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
    public var description: String { url }
}
#endif
