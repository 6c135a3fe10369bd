#if Server
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NetCore

/// Turns NIO's request parts into ours, and holds reads back while the queue is full.
final class HTTP1Handler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let queue: InboundQueue
    let onClose: @Sendable () -> Void
    private var hasRefused = false

    init(queue: InboundQueue, onClose: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.onClose = onClose
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            switch RequestHead.make(head) {
            case .success(let head): queue.push(.head(head))
            case .failure(let refusal): refuse(refusal)
            }
        case .body(let buffer):
            queue.push(.body(Bytes(buffer.readableBytesView)))
        case .end:
            queue.push(.end)
        }
    }

    func read(context: ChannelHandlerContext) {
        if queue.shouldRead() { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Whatever still arrives after a refusal is an error again; the answer is on its way.
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
    /// Reads NIO's head; a name that is no token is refused.
    fileprivate static func make(_ head: HTTPRequestHead) -> Result<RequestHead, Refusal> {
        guard let method = HTTPRequest.Method(head.method.rawValue) else {
            return .failure(Refusal(status: .badRequest, reason: "the method \"\(head.method.rawValue)\" is no token"))
        }
        var fields = HTTPFields()
        for (name, value) in head.headers {
            guard let name = HTTPField.Name(name) else {
                return .failure(Refusal(status: .badRequest, reason: "the field name \"\(name)\" is no token"))
            }
            fields.append(HTTPField(name: name, value: value))
        }
        let expectations = head.version == .http1_0 ? [] : head.headers[canonicalForm: "expect"]
        return .success(
            RequestHead(
                version: "\(head.version.major).\(head.version.minor)", method: method, target: head.uri,
                authority: head.headers.first(name: "host") ?? "", fields: fields, keepsAlive: head.isKeepAlive,
                expectsContinue: expectations.contains { $0.lowercased() == "100-continue" }))
    }
}
#endif
