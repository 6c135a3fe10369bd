#if Server
import NIOCore
import NIOPosix
import NetCore
import TestSupport

/// Sends bytes to a port on this machine, and returns all received text until the peer closes or has sent the given
/// text.
func exchange(_ bytes: [UInt8], with port: Int, until end: String? = nil) async throws -> String {
    let received = Locked<[UInt8]>([])
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(Collector(received, end))
            }
        }
        .connect(host: "127.0.0.1", port: port).get()
    try? await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    try await channel.closeFuture.get()
    return String(decoding: received.value, as: UTF8.self)
}

func exchange(_ text: String, with port: Int) async throws -> String {
    try await exchange(Array(text.utf8), with: port)
}

private final class Collector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let received: Locked<[UInt8]>
    private let end: String?

    init(_ received: Locked<[UInt8]>, _ end: String?) {
        self.received = received
        self.end = end
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Array(unwrapInboundIn(data).readableBytesView)
        received.change { $0 += bytes }
        guard let end, String(decoding: received.value, as: UTF8.self).contains(end) else { return }
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
#endif
