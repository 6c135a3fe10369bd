#if ServerTLS
internal import NIOCore
internal import NIOHTTP2

/// Closes HTTP/2 connections after an error, and counts protocol violations. NIO has already sent GOAWAY by then.
final class ConnectionErrorCloser: ChannelInboundHandler {
    typealias InboundIn = Any
    typealias InboundOut = Any

    private let core: ServerCore

    init(core: ServerCore) {
        self.core = core
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is any NIOHTTP2Error { core.log.count { $0.refusals += 1 } }
        context.close(promise: nil)
    }
}
#endif
