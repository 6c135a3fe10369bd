#if Server
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP1
internal import NIOHTTP2
internal import NIOSSL
internal import NIOTLS
internal import NetCore
internal import NetTesting

/// Sets up an accepted connection for what its peer speaks.
struct ServerPipeline: Sendable {
    let core: ServerCore
    let tls: NIOSSLContext?

    /// Takes in an accepted connection.
    func configure(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard let number = core.connections.add(channel) else { return channel.close() }
        let core = core
        core.log.count {
            $0.connections += 1
            $0.openConnections += 1
        }
        channel.closeFuture.whenComplete { _ in
            core.connections.remove(number)
            core.log.count { $0.openConnections -= 1 }
        }
        return channel.eventLoop.makeCompletedFuture { try start(channel, number) }
    }

    private func start(_ channel: any Channel, _ number: Int) throws {
        let sync = channel.pipeline.syncOperations
        if core.configuration.tls?.fault == .cutInHandshake {
            try sync.addHandler(HandshakeCutter())
        } else if let tls {
            try sync.addHandler(NIOSSLServerHandler(context: tls))
            // Before the handler that keeps the end of the handshake to itself.
            try sync.addHandler(HandshakeWatcher(core: core))
            try sync.addHandler(
                ApplicationProtocolNegotiationHandler { result, channel in
                    channel.eventLoop.makeCompletedFuture { try finish(channel, number, result == .negotiated("h2")) }
                })
        } else if core.configuration.offersHTTP2 {
            try sync.addHandler(PrefaceSniffer { isHTTP2 in try finish(channel, number, isHTTP2) })
        } else {
            try finish(channel, number, false)
        }
    }

    private func finish(_ channel: any Channel, _ number: Int, _ isHTTP2: Bool) throws {
        if isHTTP2 { try configureHTTP2(channel, number) } else { try configureHTTP1(channel, number) }
    }

    private func configureHTTP1(_ channel: any Channel, _ number: Int) throws {
        let queue = InboundQueue { channel.read() }
        let connection = HTTP1Connection(channel: channel, number: number, queue: queue, core: core)
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = core.configuration.maximumHeaderBytes
        limits.maxHeaderListSize = core.configuration.maximumHeaderBytes
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits)
        let sync = channel.pipeline.syncOperations
        try sync.addHandler(
            ByteToMessageHandler(decoder, maximumBufferSize: core.configuration.maximumHeaderBytes + (16 << 10)))
        let cancel = core.connections.start { await connection.run() }
        let direct = DirectAnswer(core: core, connection: number)
        try sync.addHandler(HTTP1Handler(queue: queue, direct: direct, onClose: cancel))
    }

    private func configureHTTP2(_ channel: any Channel, _ number: Int) throws {
        var settings = NIOHTTP2Handler.ConnectionConfiguration()
        settings.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: 250),
            HTTP2Setting(parameter: .maxHeaderListSize, value: core.configuration.maximumHeaderBytes),
        ]
        var streams = NIOHTTP2Handler.StreamConfiguration()
        // A test may well cancel thousands of calls on one connection. NIO reserves memory for all that it counts, on every
        // connection: few in a short time, then.
        streams.streamResetFrameRateLimit.maximumCount = 1000
        streams.streamResetFrameRateLimit.windowLength = .milliseconds(1)
        streams.streamErrorRateLimit.maximumCount = 1000
        streams.streamErrorRateLimit.windowLength = .milliseconds(1)
        _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
            mode: .server, connectionConfiguration: settings, streamConfiguration: streams
        ) { stream in
            stream.eventLoop.makeCompletedFuture { try configureStream(stream, channel, number) }
        }
        try channel.pipeline.syncOperations.addHandler(ConnectionErrorCloser(core: core))
    }

    private func configureStream(_ stream: any Channel, _ connection: any Channel, _ number: Int) throws {
        let queue = InboundQueue { stream.read() }
        let server = HTTP2Stream(channel: stream, connection: connection, number: number, queue: queue, core: core)
        let cancel = core.connections.start { await server.run() }
        try stream.pipeline.syncOperations.addHandler(HTTP2Handler(queue: queue, onClose: cancel))
    }
}
#endif
