#if Server
internal import NIOCore
internal import NIOPosix
internal import NetCore
public import NetTesting
internal import Synchronization

/// A real HTTP server on loopback that responds with stubs: HTTP/1.1, HTTP/2 and WebSockets, plain or over TLS.
///
/// The server takes the same ``Stub`` values as ``MockTransport``, sends them over real sockets with real
/// back-pressure, and logs every request with its raw target, its connection and its outcome. By default, it binds
/// 127.0.0.1 and a free port. A request that matches no stub gets status 404 and a text that names the nearest stubs.
///
///     let server = try await TestServer.start([
///         Stub(.get, "/users/{id}") { .json(["id": $0.parameters["id"] ?? ""]) },
///         .echo(), .pattern(), .drip(every: .milliseconds(100)),
///     ])
///     let base = server.baseURL  // http://127.0.0.1:40123
///     // … send requests …
///     print(server.requests.map(\.route), server.statistics.connections)
///     await server.stop()
///
/// Over TLS, which needs the trait `ServerTLS`, trust ``caCertificatePEM`` in the client:
///
///     let secure = try await TestServer.start([.echo()], configuration: .tls())
public final class TestServer: StubObserving {
    private let core: ServerCore
    private let listener: any Channel
    private let shutdown = Mutex<Task<Void, Never>?>(nil)
    /// The configuration that the server was started with.
    public let configuration: Configuration
    /// The port that the server listens on.
    public let port: Int
    /// The certificate authority that signed the server's certificate, as PEM text; nil without TLS.
    public let caCertificatePEM: String?

    /// Starts a server. Throws ``TestServerError`` for settings that can't be used, and ``NetCore/NetError`` with the
    /// code `connect` if the server can't listen on its address.
    public static func start(
        _ stubs: [Stub] = [], webSockets: [WebSocketStub] = [], configuration: Configuration = Configuration()
    ) async throws -> TestServer {
        let chain = try configuration.tls.map { try CertificateChain($0) }
        let tls: ServerTLS? = try chain.map { try ServerTLS($0, offersHTTP2: configuration.offersHTTP2) }
        let broken = try brokenHandshakes(configuration)
        let core = ServerCore(stubs, webSockets, configuration)
        let listener = try await bind(ServerPipeline(core: core, tls: tls, broken: broken), configuration)
        return TestServer(core, listener, authority: chain?.authority)
    }

    private static func brokenHandshakes(_ configuration: Configuration) throws -> [Fault.TLS: ServerTLS] {
        #if ServerTLS
        var broken: [Fault.TLS: ServerTLS] = [:]
        for fault in Set(configuration.tls?.handshakes ?? []).compactMap(\.self) where fault != .cutInHandshake {
            broken[fault] = try ServerTLS(CertificateChain(TLS(fault)), offersHTTP2: configuration.offersHTTP2)
        }
        return broken
        #else
        // In this build, `ServerTLS` has already thrown for TLS settings.
        return [:]
        #endif
    }

    private init(_ core: ServerCore, _ listener: any Channel, authority: String?) {
        self.core = core
        self.listener = listener
        configuration = core.configuration
        port = listener.localAddress?.port ?? configuration.port
        caCertificatePEM = authority
    }

    private static func bind(
        _ pipeline: ServerPipeline, _ configuration: Configuration
    ) async throws -> any Channel {
        var bootstrap = ServerBootstrap(group: ServerLoops.next())
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { pipeline.configure($0) }
        if let bytes = configuration.sendBufferBytes {
            bootstrap = bootstrap.childChannelOption(.socketOption(.so_sndbuf), value: .init(clamping: bytes))
        }
        do {
            return try await bootstrap.bind(host: configuration.host, port: configuration.port).get()
        } catch let error as IOError {
            throw NetError.notListening(
                host: configuration.host, port: configuration.port, systemError: error.errnoCode, underlying: error)
        }
    }

    /// The URL of the server: scheme, host and port. As text, it has no trailing slash.
    ///
    ///     let client = HTTPClient(baseURL: server.baseURL)
    ///     let page = try await client.send(Request<String>(url: "\(server.baseURL)/hello"))
    public var baseURL: BaseURL {
        let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        return BaseURL(unchecked: "\(configuration.tls == nil ? "http" : "https")://\(host):\(port)")
    }

    /// The same URL with the scheme `ws` or `wss`, as text: the base of WebSocket URLs.
    public var webSocketURL: String { "ws" + baseURL.description.dropFirst(4) }

    /// Closes the listener and every connection, and waits until they are closed. A second call waits for the first
    /// one.
    public func stop() async {
        let task = shutdown.withLock { shutdown in
            let task =
                shutdown
                ?? Task { [core, listener] in
                    await core.connections.close(after: listener)
                }
            shutdown = task
            return task
        }
        await task.value
    }
}

extension TestServer {
    /// Adds a stub; requests in progress aren't affected.
    public func add(_ stub: Stub) {
        core.stubs.add(stub)
    }

    /// Adds a WebSocket peer; if several have the same path, the first one serves it.
    public func add(_ stub: WebSocketStub) {
        core.webSockets.withLock { $0.append(stub) }
    }

    /// Replaces all stubs.
    public func replaceStubs(with stubs: [Stub]) {
        core.stubs.replaceAll(with: stubs)
    }

    public var journal: RequestJournal { core.log.journal }

    public var stubUses: [StubUse] { core.stubs.uses }

    /// Returns the state of a scenario: ``Stub/Scenario/start`` until a stub has changed it.
    public func state(of scenario: String) -> String { core.stubs.state(of: scenario) }

    /// Sets the state of a scenario.
    public func setState(_ state: String, of scenario: String) {
        core.stubs.setState(state, of: scenario)
    }

    /// Stubs with a limit (``Stub/times(_:)-(Int)``) that haven't been used up.
    public var unusedStubs: [Stub] { core.stubs.unused }

    /// The requests so far, in the order in which their heads were read.
    public var requests: [LoggedRequest] { core.log.entries }

    /// The counters so far.
    public var statistics: ServerStatistics { core.log.statistics }

    /// Forgets the logged requests; numbering and statistics continue.
    public func clearRequests() {
        core.log.removeAll()
    }

    /// Waits until a condition on the log and the statistics is true, so that tests don't need to sleep. Throws
    /// `CancellationError` if the task is cancelled.
    ///
    ///     try await server.wait { requests, _ in requests.last?.outcome == .clientWentAway }
    public func wait(
        until condition: @escaping @Sendable ([LoggedRequest], ServerStatistics) -> Bool
    ) async throws {
        try await core.log.wait(until: condition)
    }

    /// Resets (RST) every open connection; the server keeps listening.
    public func resetConnections() async {
        await core.connections.reset()
    }
}
#endif
