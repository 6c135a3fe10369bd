#if Tools && Server
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NetCore

/// The server of the live page: on 127.0.0.1, for GET only.
struct LiveServer: Sendable {
    /// More browsers than that look at nothing.
    private static let mostConnections = 64
    /// A connection on which nothing was read or written for so long is closed.
    private static let idle = TimeAmount.seconds(60)

    typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPPart<HTTPResponseHead, ByteBuffer>>

    let feed: LiveFeed
    let gate: LiveGate
    private let listener: NIOAsyncChannel<Connection, Never>

    /// Binds the port; 0 takes a free one.
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

    /// Serves until it is cancelled.
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

/// Closes a connection that is idle.
private final class IdleCloser: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}

/// Bodies as the codec of HTTP/1.1 wants them.
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
