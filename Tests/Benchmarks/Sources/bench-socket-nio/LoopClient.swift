import NIOCore
import NIOWebSocket
import SocketWorkload

/// The workloads in a handler: every step runs on the event loop, without a thread switch.
final class LoopClient: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let workload: SocketWorkload
    private let payload: ByteBuffer
    private var context: ChannelHandlerContext?
    private var promise: EventLoopPromise<Void>?
    /// For the current run: the numbers of requested messages, of messages still to send, and of received ones.
    private var count = 0
    private var remaining = 0
    private var received = 0

    init(workload: SocketWorkload) {
        self.workload = workload
        payload = ByteBuffer(bytes: workload.payload)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Must be called on the event loop.
    func close() -> EventLoopFuture<Void> {
        guard let context else { preconditionFailure("close after the handler was removed") }
        return context.close()
    }

    /// Must be called on the event loop.
    func run(_ count: Int) -> EventLoopFuture<Void> {
        guard let context else { preconditionFailure("run after the handler was removed") }
        let promise = context.eventLoop.makePromise(of: Void.self)
        self.promise = promise
        self.count = count
        received = 0
        remaining = count
        switch workload.direction {
        case .echo, .idle: send(.binary, payload, context)
        case .out: sendWhileWritable(context)
        case .in: send(.text, ByteBuffer(string: workload.command(count)), context)
        case .connect: promise.succeed()
        }
        return promise.futureResult
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch workload.direction {
        case .echo, .idle: receiveEcho(frame, context)
        case .out: end(expected: workload.report(count), found: String(buffer: frame.data))
        case .in where frame.opcode == .binary: received += frame.data.readableBytes == workload.size ? 1 : 0
        case .in: end(expected: "\(count)", found: "\(received)")
        case .connect: break
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if workload.direction == .out { sendWhileWritable(context) }
    }

    func channelInactive(context: ChannelHandlerContext) { fail(ChannelError.eof) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(error) }

    private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(.message(opcode, data)), promise: nil)
    }

    private func receiveEcho(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        guard frame.data == payload else {
            return end(expected: "an echo", found: "another message after \(received)")
        }
        received += 1
        if received < count { send(.binary, payload, context) } else { end(expected: "", found: "") }
    }

    /// Writes batches until the channel isn't writable; the channel calls the handler when it is writable again.
    private func sendWhileWritable(_ context: ChannelHandlerContext) {
        while remaining > 0, context.channel.isWritable {
            let batch = min(remaining, workload.batch)
            remaining -= batch
            for _ in 0..<batch { context.write(wrapOutboundOut(.message(.binary, payload)), promise: nil) }
            if remaining == 0 {
                context.write(wrapOutboundOut(.message(.text, ByteBuffer(string: "END"))), promise: nil)
            }
            context.flush()
        }
    }

    private func end(expected: String, found: String) {
        if expected == found {
            promise?.succeed()
            promise = nil
        } else {
            fail(LostMessages(workload, expected: expected, found: found))
        }
    }

    private func fail(_ error: any Error) {
        promise?.fail(error)
        promise = nil
    }
}
