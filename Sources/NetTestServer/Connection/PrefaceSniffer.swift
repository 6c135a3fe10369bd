#if Server
internal import NIOCore

/// Reads the first bytes of a plain connection and distinguishes HTTP/2 with prior knowledge from HTTP/1 (RFC 9113
/// section 3.4).
final class PrefaceSniffer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private let configure: (_ isHTTP2: Bool) throws -> Void
    private var seen = ByteBuffer()
    private var hasDecided = false

    /// Creates a sniffer. `configure` adds the handlers behind it.
    init(_ configure: @escaping (_ isHTTP2: Bool) throws -> Void) {
        self.configure = configure
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        guard !hasDecided else {
            context.fireChannelRead(wrapInboundOut(buffer))
            return
        }
        seen.writeBuffer(&buffer)
        let start = seen.readableBytesView.prefix(Self.preface.count)
        let isPossible = start.elementsEqual(Self.preface.prefix(start.count))
        if isPossible && start.count < Self.preface.count { return }
        hasDecided = true
        do {
            try configure(isPossible)
        } catch {
            context.close(promise: nil)
            return
        }
        context.fireChannelRead(wrapInboundOut(seen))
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}
#endif
