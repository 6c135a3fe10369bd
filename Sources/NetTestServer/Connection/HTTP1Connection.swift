#if Server
internal import NIOCore
internal import NetCore

/// Serves the requests of one HTTP/1 connection sequentially, so that pipelined requests get their responses in order.
struct HTTP1Connection: Sendable {
    let channel: any Channel
    let number: Int
    let queue: InboundQueue
    let core: ServerCore

    /// Runs until the connection ends.
    func run() async {
        let writer = HTTP1Writer(channel: channel)
        while let part = await queue.next() {
            guard case .head(let head) = part else {
                if case .refused(let refusal) = part { await refuse(refusal, writer) }
                break
            }
            let opening = WebSocketExchange(core: core, head: head, connection: number, channel: channel, queue: queue)
            if let opening {
                await opening.run()
                await lingeringClose()
                break
            }
            let exchange = Exchange(
                core: core, head: head, connection: number, stream: nil, queue: queue, writer: writer)
            let sequel = await exchange.run()
            if sequel == .end { await lingeringClose() }
            guard sequel == .next else { break }
            queue.served()
        }
        queue.finish()
        try? await channel.close().get()
    }

    private func refuse(_ refusal: Refusal, _ writer: HTTP1Writer) async {
        core.log.count { $0.refusals += 1 }
        let body = Bytes("\(refusal.reason)\n".utf8)
        try? await writer.writeHead(ResponseOut(refusal, length: body.count), body: body)
        await lingeringClose()
    }

    /// Ends our side first: closing with unread bytes would reset the connection, and the response would be lost.
    private func lingeringClose() async {
        // Bytes that still arrive are read and discarded.
        queue.finish()
        try? await channel.close(mode: .output).get()
        let limit = channel.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
        try? await channel.closeFuture.get()
        limit.cancel()
    }
}
#endif
