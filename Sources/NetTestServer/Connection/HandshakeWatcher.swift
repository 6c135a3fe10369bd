#if Server
internal import NIOCore
internal import NIOTLS

/// Counts and closes connections whose TLS handshake fails. Removes itself after a successful handshake.
final class HandshakeWatcher: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any
    typealias InboundOut = Any

    private let core: ServerCore

    init(core: ServerCore) {
        self.core = core
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        if case .handshakeCompleted? = event as? TLSUserEvent {
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        core.log.count { $0.refusals += 1 }
        context.close(promise: nil)
    }
}
#endif
