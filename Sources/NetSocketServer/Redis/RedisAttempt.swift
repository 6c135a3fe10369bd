#if Redis
internal import NIOCore
internal import NIOPosix
internal import NetCore
internal import Synchronization

/// A connection that is being opened.
final class RedisAttempt: Sendable {
    private struct State {
        var channel: (any Channel)?
        var isOver = false
    }

    private let address: RedisAddress
    private let configuration: RedisConnection.Configuration
    private let handler: RedisChannelHandler
    private let tls: RedisTLS?
    private let state = Mutex(State())

    init(
        _ address: RedisAddress, _ configuration: RedisConnection.Configuration, _ handler: RedisChannelHandler,
        _ tls: RedisTLS?
    ) {
        self.address = address
        self.configuration = configuration
        self.handler = handler
        self.tls = tls
    }

    func connect(on loop: any EventLoop) async throws(NetError) {
        do {
            _ = try await ClientBootstrap(group: loop)
                .connectTimeout(TimeAmount(configuration.connectTimeout))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try self.keep(channel)
                        if let tls = self.tls { try channel.pipeline.syncOperations.addHandler(tls.makeHandler()) }
                        try channel.pipeline.syncOperations.addHandler(self.handler)
                    }
                }
                .connect(host: address.host, port: address.port).get()
        } catch {
            throw failure(error)
        }
    }

    /// Stores a channel so that it can be closed; each of the host's addresses has its own channel until one is
    /// connected.
    private func keep(_ channel: any Channel) throws(NetError) {
        let isOver = state.withLock { state in
            state.channel = channel
            return state.isOver
        }
        if isOver { throw cancelled }
    }

    /// Closes the channel, or prevents it from being opened.
    func close() {
        let channel = state.withLock { state in
            state.isOver = true
            return state.channel.take()
        }
        channel?.close(promise: nil)
    }

    func handOver(on loop: any EventLoop, onEnd: @escaping @Sendable (NetError) -> Void) async throws(NetError) {
        do {
            try await loop.submit { [handler] in try handler.handOver(onEnd: onEnd) }.get()
        } catch {
            throw error as? NetError ?? failure(error)
        }
    }

    /// Returns the reason why the connection ended, if that's why a command failed; otherwise the error itself.
    func cause(of error: NetError) -> NetError {
        error.code == .connectionLost ? error.underlying as? NetError ?? error : error
    }

    private func failure(_ error: any Error) -> NetError {
        if state.withLock({ $0.isOver }) { return cancelled }
        if let error = error as? NetError { return error }
        if case .connectTimeout? = error as? ChannelError { return timeout }
        guard let error = error as? NIOConnectionError else {
            return unreachable("\(error)", error)
        }
        if error.connectionErrors.isEmpty, let cause = error.dnsAError ?? error.dnsAAAAError {
            return NetError(
                .dns, phase: .resolving,
                message: "the host of the broker at \(address) has no address; check its name (\(cause))",
                underlying: error)
        }
        let isTimeout = error.connectionErrors.contains { failure in
            if case .connectTimeout? = failure.error as? ChannelError { true } else { false }
        }
        if isTimeout { return timeout }
        return unreachable(error.connectionErrors.map { "\($0.error)" }.joined(separator: ", "), error)
    }

    private func unreachable(_ reason: String, _ error: any Error) -> NetError {
        NetError(
            .connect, phase: .connecting,
            message: "couldn't connect to the broker at \(address): \(reason); check that it runs there",
            underlying: error)
    }

    var timeout: NetError {
        NetError(
            .timeout, phase: .connecting,
            message: "the broker at \(address) didn't accept the connection within "
                + "\(configuration.connectTimeout.inSeconds) s; check that it runs there and isn't overloaded")
    }

    var cancelled: NetError {
        NetError(
            .cancelled, phase: .connecting,
            message: "the task that connected to the broker at \(address) was cancelled")
    }
}
#endif
