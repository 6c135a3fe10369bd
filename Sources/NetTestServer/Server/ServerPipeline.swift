#if Server
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import NetCore

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
        return channel.eventLoop.makeCompletedFuture { try configureHTTP1(channel, number) }
    }

    private func configureHTTP1(_ channel: any Channel, _ number: Int) throws {
        let queue = InboundQueue { channel.read() }
        let connection = HTTP1Connection(channel: channel, number: number, queue: queue, core: core)
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = core.configuration.maximumHeaderBytes
        limits.maxHeaderListSize = core.configuration.maximumHeaderBytes
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
        let sync = channel.pipeline.syncOperations
        try sync.addHandler(
            ByteToMessageHandler(decoder, maximumBufferSize: core.configuration.maximumHeaderBytes + (16 << 10)))
        let cancel = core.connections.start { await connection.run() }
        try sync.addHandler(HTTP1Handler(queue: queue, onClose: cancel))
    }
}
#endif
