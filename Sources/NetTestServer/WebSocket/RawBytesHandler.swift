#if Server
internal import NIOCore
internal import NIOHTTP1
internal import NetCore

/// Passes the bytes of a connection that has left HTTP to its queue, and holds back reads while the queue is full.
final class RawBytesHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let queue: InboundQueue
    private let onClose: @Sendable () -> Void

    init(queue: InboundQueue, onClose: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.onClose = onClose
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        queue.push(.body(Bytes(unwrapInboundIn(data).readableBytesView)))
    }

    func read(context: ChannelHandlerContext) {
        if queue.shouldRead() { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        queue.finish()
        onClose()
        context.fireChannelInactive()
    }
}

extension Channel {
    /// Removes the HTTP/1 handlers; bytes that the decoder has already read reach the queue first.
    func leaveHTTP(to queue: InboundQueue) async throws {
        let pipeline = pipeline
        try await eventLoop.submit {
            let sync = pipeline.syncOperations
            let handler = try sync.handler(type: HTTP1Handler.self)
            let decoder = try sync.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try sync.addHandler(RawBytesHandler(queue: queue, onClose: handler.onClose))
            sync.removeHandler(handler, promise: nil)
            sync.removeHandler(context: decoder, promise: nil)
        }.get()
    }
}
#endif
