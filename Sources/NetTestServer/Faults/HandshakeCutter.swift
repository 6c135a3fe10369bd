#if Server
internal import NIOCore

/// Closes the connection at the client's first bytes, without a response.
final class HandshakeCutter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.close(promise: nil)
    }
}
#endif
