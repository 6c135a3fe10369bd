import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// The minimum that SwiftNIO needs to respond to every request with 1 KB, on one event loop: the lower bound for a
/// server based on it.
final class Answerer: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private static let body = ByteBuffer(repeating: UInt8(ascii: "a"), count: 1024)
    private static let head = HTTPResponseHead(
        version: .http1_1, status: .ok,
        headers: ["Content-Type": "application/octet-stream", "Content-Length": "1024"])

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data) else { return }
        context.write(wrapOutboundOut(.head(Self.head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(Self.body))), promise: nil)
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// Prints its port, and serves until its standard input ends.
@main
enum BareServer {
    static func main() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let listener = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Answerer())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        print(#"{"port": \#(listener.localAddress?.port ?? 0)}"#)
        fflush(nil)
        while readLine() != nil {}
        try await listener.close().get()
    }
}
