import NIOCore

/// Echoes bytes as they arrive, after a response to the opening handshake that is valid for one key only.
final class RawEcho: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The response for the key `dGhlIHNhbXBsZSBub25jZQ==` of RFC 6455, which the load generator sends.
    private static let response = ByteBuffer(
        string: """
            HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
            Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n
            """)

    private var isOpen = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isOpen { return context.write(data, promise: nil) }
        isOpen = true
        context.write(wrapOutboundOut(Self.response), promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) { context.flush() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
