#if Server
internal import NIOCore

/// Calls a closure when an accepted connection is ready.
final class ProxyOpener: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let open: (any Channel) -> Void

    init(_ open: @escaping (any Channel) -> Void) {
        self.open = open
    }

    func channelActive(context: ChannelHandlerContext) {
        open(context.channel)
        context.fireChannelActive()
    }
}

/// Passes the bytes from its source to a lane.
final class ProxyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let lane: ProxyLane
    private let opposite: ProxyLane
    private var isReset = false

    /// Creates a handler. `lane` leads away from this handler's channel, `opposite` to it.
    init(_ lane: ProxyLane, opposite: ProxyLane) {
        self.lane = lane
        self.opposite = opposite
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lane.received(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        lane.readsOn()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { opposite.targetBecameWritable() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { lane.receivedEnd() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        isReset = true
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        lane.sourceClosed(isReset: isReset)
    }
}
#endif
