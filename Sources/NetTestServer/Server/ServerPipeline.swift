#if Server
internal import NIOCore
internal import NIOHTTP1
internal import NIOTLS
internal import NetCore
internal import NetTesting

/// Sets up an accepted connection for the protocol of its peer.
struct ServerPipeline: Sendable {
    let core: ServerCore
    let tls: ServerTLS?
    /// TLS with a certificate that every client rejects, for connections whose handshake must fail.
    let broken: [Fault.TLS: ServerTLS]

    /// Sets up an accepted connection.
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
        let fault = core.nextHandshakeFault()
        if fault == .cutInHandshake {
            try sync.addHandler(HandshakeCutter())
        } else if let tls = fault.flatMap({ broken[$0] }) ?? tls {
            try sync.addHandler(tls.makeHandler(), name: ServerTLS.handlerName)
            // Added before the handler that consumes the handshake event.
            try sync.addHandler(HandshakeWatcher(core: core))
            try sync.addHandler(
                ApplicationProtocolNegotiationHandler { result, channel in
                    channel.eventLoop.makeCompletedFuture { try finish(channel, number, result == .negotiated("h2")) }
                })
        } else if core.configuration.offersHTTP2, Self.speaksHTTP2 {
            try sync.addHandler(PrefaceSniffer { isHTTP2 in try finish(channel, number, isHTTP2) })
        } else {
            try finish(channel, number, false)
        }
    }

    private func finish(_ channel: any Channel, _ number: Int, _ isHTTP2: Bool) throws {
        if isHTTP2 { try configureHTTP2(channel, number) } else { try configureHTTP1(channel, number) }
    }

    #if !ServerTLS
    private static var speaksHTTP2: Bool { false }

    private func configureHTTP2(_ channel: any Channel, _ number: Int) throws {
        throw TestServerError("HTTP/2 needs the trait ServerTLS of swift-net")
    }
    #endif

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
}
#endif
