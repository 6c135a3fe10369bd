#if Server
internal import NIOCore
internal import NIOPosix
internal import NetTesting
internal import Synchronization

/// A proxy on loopback that simulates a bad network between any two TCP peers, for any protocol on top of TCP. It adds
/// latency, limits the bandwidth, splits writes into pieces, and ends or stalls connections, separately for each
/// direction.
///
///     let server = try await TestServer.start([.echo()])
///     let slow = TCPProxy.Direction(latency: .milliseconds(80), bytesPerSecond: 64_000)
///     let proxy = try await TCPProxy.start(
///         to: server.port, configuration: TCPProxy.Configuration(toClient: slow))
///     let base = try BaseURL("http://127.0.0.1:\(proxy.port)")
///     // … send requests …
///     await proxy.stop()
public final class TCPProxy: Sendable {
    private let core: ProxyCore
    private let listener: any Channel
    private let shutdown = Mutex<Task<Void, Never>?>(nil)
    /// The port of 127.0.0.1 that the proxy listens on.
    public let port: Int

    /// Starts a proxy to a port; throws the system's error if it can't listen.
    ///
    /// - Parameters:
    ///   - port: The server's port.
    ///   - host: The server's host. Default `127.0.0.1`.
    ///   - configuration: The impairments. Default none.
    public static func start(
        to port: Int, host: String = "127.0.0.1", configuration: Configuration = Configuration()
    ) async throws -> TCPProxy {
        let core = ProxyCore(host: host, port: port, configuration)
        let listener = try await ServerBootstrap(group: ServerLoops.next())
            .serverChannelOption(.backlog, value: 1024)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { core.accept($0) }
            .bind(host: "127.0.0.1", port: 0).get()
        return TCPProxy(core, listener)
    }

    private init(_ core: ProxyCore, _ listener: any Channel) {
        self.core = core
        self.listener = listener
        port = listener.localAddress?.port ?? 0
    }

    /// The impairments; a change applies to connections accepted afterwards.
    public var configuration: Configuration {
        get { core.configuration.withLock { $0 } }
        set { core.configuration.withLock { $0 = newValue } }
    }

    /// The counters so far.
    public var statistics: Statistics { core.statistics.withLock { $0 } }

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

/// The shared state of all connections of a proxy.
final class ProxyCore: Sendable {
    let configuration: Mutex<TCPProxy.Configuration>
    let statistics = Mutex(TCPProxy.Statistics())
    let connections = ConnectionRegistry()
    private let host: String
    private let port: Int

    init(host: String, port: Int, _ configuration: TCPProxy.Configuration) {
        self.host = host
        self.port = port
        self.configuration = Mutex(configuration)
    }

    func count(_ body: (inout TCPProxy.Statistics) -> Void) {
        statistics.withLock { body(&$0) }
    }

    /// Accepts a client's connection.
    func accept(_ client: any Channel) -> EventLoopFuture<Void> {
        guard let number = connections.add(client) else { return client.close() }
        count {
            $0.connections += 1
            $0.openConnections += 1
        }
        client.closeFuture.whenComplete { _ in
            self.connections.remove(number)
            self.count { $0.openConnections -= 1 }
        }
        return client.eventLoop.makeCompletedFuture {
            try client.pipeline.syncOperations.addHandler(ProxyOpener { self.connect($0) })
        }
    }

    /// Connects to the server for a client. Both connections use the same event loop.
    private func connect(_ client: any Channel) {
        let settings = configuration.withLock { $0 }
        ClientBootstrap(group: client.eventLoop)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.autoRead, value: false)
            .connect(host: host, port: port)
            .flatMapThrowing { try self.join(client, $0, settings) }
            .whenFailure { _ in
                self.count { $0.unreachable += 1 }
                client.close(promise: nil)
            }
    }

    private func join(_ client: any Channel, _ server: any Channel, _ settings: TCPProxy.Configuration) throws {
        guard client.isActive, let number = connections.add(server) else {
            server.close(promise: nil)
            return
        }
        server.closeFuture.whenComplete { _ in self.connections.remove(number) }
        let toServer = ProxyLane(from: client, to: server, settings.toServer) { passed, discarded in
            self.count {
                $0.bytesToServer += Int64(passed)
                $0.bytesDiscarded += Int64(discarded)
            }
        } onCut: {
            self.count { $0.cuts += 1 }
        }
        let toClient = ProxyLane(from: server, to: client, settings.toClient) { passed, discarded in
            self.count {
                $0.bytesToClient += Int64(passed)
                $0.writesToClient += passed > 0 ? 1 : 0
                $0.bytesDiscarded += Int64(discarded)
            }
        } onCut: {
            self.count { $0.cuts += 1 }
        }
        try client.pipeline.syncOperations.addHandler(ProxyHandler(toServer, opposite: toClient))
        try server.pipeline.syncOperations.addHandler(ProxyHandler(toClient, opposite: toServer))
        toServer.start()
        toClient.start()
    }
}
#endif
