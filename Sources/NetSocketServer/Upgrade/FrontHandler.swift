#if Server
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NetCore
internal import NetSocketCore

/// Responds to requests that aren't handshakes, and closes connections that take too long to send a request.
///
/// `@unchecked Sendable`: used on the channel's event loop only.
final class FrontHandler: ChannelInboundHandler, RemovableChannelHandler, @unchecked Sendable {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let core: SocketServerCore
    private var deadline: Scheduled<Void>?
    private var request: HTTPRequestHead?
    private var hasAnswered = false

    init(_ core: SocketServerCore) {
        self.core = core
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        let timeout = TimeAmount(core.configuration.limits.handshakeTime)
        deadline = context.eventLoop.scheduleTask(in: timeout) { [core] in
            core.note(.timeout, "the handshake took too long")
            channel.close(promise: nil)
        }
        if let oldest = core.pending.add(channel) {
            core.note(.timeout, "too many connections have not sent a request")
            oldest.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        core.pending.remove(context.channel)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): request = head
        case .body: break
        case .end:
            guard let request, !hasAnswered else { return }
            hasAnswered = true
            answer(request, context.channel)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError || error is ByteToMessageDecoderError {
            core.note(.invalid, "the request is not valid HTTP, or too large")
        }
        guard !hasAnswered, let error = error as? HTTPParserError else { return context.close(promise: nil) }
        hasAnswered = true
        let isTooLarge = error == .headerOverflow
        let response = SocketServerResponse(
            status: isTooLarge ? .requestHeaderFieldsTooLarge : .badRequest,
            body: isTooLarge ? "The header fields are too large.\n" : "The request is not valid HTTP/1.1.\n")
        HTTPServerResponse(response, to: .GET).write(to: context.channel, closes: true)
    }

    private func answer(_ head: HTTPRequestHead, _ channel: any Channel) {
        guard let respond = core.configuration.respond, let (_, runner) = core.lane(for: channel.eventLoop) else {
            return HTTPServerResponse(Self.upgradeRequired(head), to: head.method).write(to: channel, closes: true)
        }
        let request = SocketServerRequest(
            method: HTTPRequest.Method(rawValue: head.method.rawValue) ?? .get, target: head.uri,
            headers: HTTPFields(head.headers))
        runner.start(.pool, for: request.path) {
            let response = await respond(request) ?? Self.upgradeRequired(head)
            channel.eventLoop.execute { HTTPServerResponse(response, to: head.method).write(to: channel, closes: true) }
        }
    }

    /// Returns the response to a request that isn't a handshake. A proxy that speaks HTTP/1.0 drops the headers of one.
    private static func upgradeRequired(_ head: HTTPRequestHead) -> SocketServerResponse {
        let hint = head.version == .http1_0 ? ServerHandshake.oldHTTP + "\n" : ""
        return SocketServerResponse(
            status: .upgradeRequired, headers: [.upgrade: "websocket"], body: "This is a WebSocket server.\n" + hint)
    }
}

extension TimeAmount {
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .seconds(min(seconds, 1 << 31)) + .nanoseconds(attoseconds / 1_000_000_000)
    }
}
#endif
