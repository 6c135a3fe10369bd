#if Server
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NetCore

/// Converts NIO's request parts, responds immediately to requests that need no task, and holds back reads while the
/// queue is full.
final class HTTP1Handler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let queue: InboundQueue
    private let direct: DirectAnswer
    let onClose: @Sendable () -> Void
    private var hasRefused = false
    /// A request that can be responded to immediately if its end is the next part.
    private var held: RequestHead?
    private var hasWritten = false

    init(queue: InboundQueue, direct: DirectAnswer, onClose: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.direct = direct
        self.onClose = onClose
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            switch RequestHead.make(head) {
            case .success(let head): take(head, context)
            case .failure(let refusal): refuse(refusal)
            }
        case .body(let buffer):
            releaseHead()
            buffer.withUnsafeReadableBytes { queue.push(.body(Bytes($0))) }
        case .end(let trailers):
            if trailers == nil, let head = held, let response = direct.response(to: head, context.channel.allocator) {
                held = nil
                hasWritten = true
                context.write(wrapOutboundOut(response), promise: nil)
            } else {
                releaseHead()
                queue.push(
                    .end(trailers: trailers.flatMap { HTTPFields(trailers: $0.lazy.map { ($0.name, $0.value) }) }))
            }
        }
    }

    /// If the client doesn't read its responses, later requests go to the task, which waits for the client.
    private func take(_ head: RequestHead, _ context: ChannelHandlerContext) {
        if DirectAnswer.isPossible(for: head), context.channel.isWritable, queue.isIdle {
            held = head
        } else {
            queue.push(.head(head))
        }
    }

    /// Passes the request to the task.
    private func releaseHead() {
        if let head = held.take() { queue.push(.head(head)) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // One flush for all responses to the requests of one read.
        if hasWritten { context.flush() }
        hasWritten = false
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if queue.shouldRead() { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Anything that arrives after a refusal is another error; the response is already on its way.
        guard !hasRefused else { return }
        switch error {
        case HTTPParserError.headerOverflow, is ByteToMessageDecoderError.PayloadTooLargeError:
            refuse(.headerTooLarge)
        case is HTTPParserError, is NIOHTTPDecoderError:
            refuse(Refusal(status: .badRequest, reason: "the request is not valid HTTP/1.1: \(error)"))
        default:
            context.close(promise: nil)
        }
    }

    private func refuse(_ refusal: Refusal) {
        hasRefused = true
        releaseHead()
        queue.push(.refused(refusal))
    }

    func channelInactive(context: ChannelHandlerContext) {
        queue.finish()
        onClose()
        context.fireChannelInactive()
    }
}

extension Refusal {
    static let headerTooLarge = Refusal(
        status: .init(code: 431, reasonPhrase: "Request Header Fields Too Large"),
        reason: "the head of the request is larger than the server's maximumHeaderBytes")
}

extension RequestHead {
    /// Converts NIO's head; refuses a name that isn't a token.
    fileprivate static func make(_ head: HTTPRequestHead) -> Result<RequestHead, Refusal> {
        guard let method = HTTPRequest.Method(head.method.rawValue) else {
            return .failure(
                Refusal(status: .badRequest, reason: "the method \"\(head.method.rawValue)\" isn't a valid token"))
        }
        var fields = HTTPFields()
        for (name, value) in head.headers {
            guard let name = HTTPField.Name(name) else {
                return .failure(Refusal(status: .badRequest, reason: "the header name \"\(name)\" isn't a valid token"))
            }
            fields.append(HTTPField(name: name, value: value))
        }
        let expectations = head.version == .http1_0 ? [] : head.headers[canonicalForm: "expect"]
        return .success(
            RequestHead(
                version: "\(head.version.major).\(head.version.minor)", method: method, target: head.uri,
                authority: head.headers.first(name: "host") ?? "", headers: fields, keepsAlive: head.isKeepAlive,
                expectsContinue: expectations.contains { $0.lowercased() == "100-continue" }))
    }
}
#endif
