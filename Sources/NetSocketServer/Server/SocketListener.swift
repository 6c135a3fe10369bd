#if Server
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NetCore
internal import Synchronization

/// A server's listening port: accepts connections and their handshakes.
final class SocketListener: Sendable {
    private struct State {
        var channel: (any Channel)?
        var group: MultiThreadedEventLoopGroup?
    }

    private let core: SocketServerCore
    private let state = Mutex(State())

    init(_ core: SocketServerCore) {
        self.core = core
    }

    /// Starts listening. Throws ``NetCore/NetError`` if the address can't be used, or a certificate.
    func start() async throws {
        let configuration = core.configuration
        let tls: ListenerTLS? = try configuration.tls.map { try ListenerTLS($0) }
        let own = configuration.loopCount.map { MultiThreadedEventLoopGroup(numberOfThreads: max(1, $0)) }
        state.withLock { $0.group = own }
        let desk = HandshakeDesk(core)
        let bootstrap = ServerBootstrap(group: own ?? .singleton)
            .serverChannelOption(.backlog, value: Int32(clamping: configuration.backlog))
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try self.configure(channel, desk, tls) }
            }
        let channel: any Channel
        do {
            channel = try await bootstrap.bind(host: configuration.host, port: configuration.port).get()
        } catch let error as IOError {
            throw NetError.notListening(
                host: configuration.host, port: configuration.port, systemError: error.errnoCode, underlying: error)
        }
        state.withLock { $0.channel = channel }
        core.isListening(
            SocketServerAddress(
                host: channel.localAddress?.ipAddress ?? configuration.host,
                port: channel.localAddress?.port ?? configuration.port, isSecure: tls != nil))
    }

    private func configure(_ channel: any Channel, _ desk: HandshakeDesk, _ tls: ListenerTLS?) throws {
        let sync = channel.pipeline.syncOperations
        if let tls { try sync.addHandler(tls.makeHandler()) }
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = core.configuration.limits.headerBytes
        limits.maxHeaderListSize = core.configuration.limits.headerBytes
        let decoder = ByteToMessageHandler(
            HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits),
            maximumBufferSize: core.configuration.limits.headerBytes + (16 << 10))
        let encoder = HTTPResponseEncoder()
        let front = FrontHandler(core)
        let upgrade = HTTPServerUpgradeHandler(
            upgraders: [SocketUpgrader(desk)], httpEncoder: encoder, extraHTTPHandlers: [decoder, front],
            upgradeCompletionHandler: { _ in })
        try sync.addHandlers(encoder, decoder, upgrade, front)
    }

    /// Stops listening.
    func stop() async {
        let channel = state.withLock { $0.channel.take() }
        try? await channel?.close()
    }

    func end() async {
        let group = state.withLock { $0.group.take() }
        try? await group?.shutdownGracefully()
    }
}

extension SocketServerCore {
    /// Stores the address of a listener that is ready, and resumes the tasks that wait for it.
    func isListening(_ address: SocketServerAddress) {
        logger.info("listening", metadata: ["url": "\(address.url)"])
        let waiters = state.withLock { state in
            state.address = address
            return state.waiters.releaseAll(with: ())
        }
        for waiter in waiters { waiter.resume() }
    }

    var address: SocketServerAddress {
        get async throws { try await value { $0.address } }
    }

    /// Waits until the server is serving.
    func ready() async throws {
        let _: Bool = try await value { state in
            if case .running = state.phase, state.isReady { true } else { nil }
        }
    }

    /// Waits until there is a value. Throws the error with which the server couldn't begin, and `CancellationError` if the
    /// task is cancelled or the server has ended.
    private func value<Value: Sendable>(_ value: (State) -> Value?) async throws -> Value {
        while true {
            try Task.checkCancellation()
            let (found, id) = try state.withLock { state -> (Value?, WaiterList<Void>.ID?) in
                if let found = value(state) { return (found, nil) }
                switch state.phase {
                case .idle, .running: return (nil, state.waiters.register())
                case .draining, .over: throw state.failure ?? CancellationError()
                }
            }
            if let found { return found }
            guard let id else { throw CancellationError() }
            await WaiterList.wait(id, fallback: ()) { change in self.state.withLock { change(&$0.waiters) } }
        }
    }
}
#endif
