#if ServerTLS
internal import NIOCore
internal import NIOHTTP2
internal import NetCore

/// Serves the one request of an HTTP/2 stream.
struct HTTP2Stream: Sendable {
    let channel: any Channel
    let connection: any Channel
    let number: Int
    let queue: InboundQueue
    let core: ServerCore

    /// Runs until the stream ends.
    func run() async {
        let id = try? await channel.getOption(HTTP2StreamChannelOptions.streamID).get()
        let writer = HTTP2Writer(channel: channel, connection: connection, stream: id.map { Int($0) } ?? 0) {
            core.connections.silence(number)
        }
        if core.connections.isSilent(number) {
            try? await channel.closeFuture.get()
            return
        }
        switch await queue.next() {
        case .head(let head):
            let exchange = Exchange(
                core: core, head: head, connection: number, stream: id.map { Int($0) }, queue: queue, writer: writer)
            _ = await exchange.run()
        case .refused(let refusal):
            core.log.count { $0.refusals += 1 }
            let body = Bytes("\(refusal.reason)\n".utf8)
            try? await writer.writeHead(ResponseOut(refusal, length: body.count), body: body)
        case .body, .end, nil:
            break
        }
        queue.finish()
        try? await channel.close().get()
    }
}
#endif
