#if ServerTLS
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2

/// HTTP/2, available with the trait `ServerTLS`, because clients usually negotiate it over TLS.
extension ServerPipeline {
    static var speaksHTTP2: Bool { true }

    func configureHTTP2(_ channel: any Channel, _ number: Int) throws {
        var settings = NIOHTTP2Handler.ConnectionConfiguration()
        settings.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: 250),
            HTTP2Setting(parameter: .maxHeaderListSize, value: core.configuration.maximumHeaderBytes),
        ]
        var streams = NIOHTTP2Handler.StreamConfiguration()
        // A test may cancel thousands of calls on one connection. NIO reserves memory, on every connection, for all the
        // resets that it counts, so the limit is small within a short window.
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
