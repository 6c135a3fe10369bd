#if Tools && Server
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NetCore

/// The server of the live page: on 127.0.0.1, only for GET.
struct LiveServer: Sendable {
    /// The maximum number of concurrent connections; further ones wait.
    private static let mostConnections = 64
    /// The idle time after which a connection is closed.
    private static let idle = TimeAmount.seconds(60)

    typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPPart<HTTPResponseHead, ByteBuffer>>

    let feed: LiveFeed
    let gate: LiveGate
    private let listener: NIOAsyncChannel<Connection, Never>

    /// Binds the port; 0 chooses a free one.
    init(feed: LiveFeed, port: Int, token: String) async throws {
        listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
                    try pipeline.addHandler(IdleStateHandler(allTimeout: Self.idle))
                    try pipeline.addHandler(IdleCloser())
                    try pipeline.addHandler(ResponseWrapper())
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
        self.feed = feed
        gate = LiveGate(port: listener.channel.localAddress?.port ?? port, token: token)
    }

    /// Serves until the task is cancelled.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await listener.executeThenClose { connections in
                var count = 0
                for try await connection in connections {
                    if count == Self.mostConnections { try await group.next() }
                    count = min(count + 1, Self.mostConnections)
                    group.addTask { await LiveConnection(feed: feed, gate: gate).serve(connection) }
                }
            }
            group.cancelAll()
        }
    }
}

/// Closes an idle connection.
private final class IdleCloser: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}

/// Converts body parts to the type of the HTTP/1.1 codec.
private final class ResponseWrapper: ChannelOutboundHandler {
    typealias OutboundIn = HTTPPart<HTTPResponseHead, ByteBuffer>
    typealias OutboundOut = HTTPServerResponsePart

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part: OutboundOut =
            switch unwrapOutboundIn(data) {
            case .head(let head): .head(head)
            case .body(let bytes): .body(.byteBuffer(bytes))
            case .end(let trailers): .end(trailers)
            }
        context.write(wrapOutboundOut(part), promise: promise)
    }
}
#endif
