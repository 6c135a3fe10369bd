#if ServerTLS
internal import HTTPTypes
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2
internal import NetCore

/// Converts the frames of one HTTP/2 stream into request parts, and holds back reads while the queue is full, so that
/// the stream's window stays closed.
final class HTTP2Handler: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let queue: InboundQueue
    private let onClose: @Sendable () -> Void
    private var hasHead = false

    init(queue: InboundQueue, onClose: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.onClose = onClose
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let frame):
            if !hasHead {
                hasHead = true
                switch RequestHead.make(frame.headers) {
                case .success(let head): queue.push(.head(head))
                case .failure(let refusal): queue.push(.refused(refusal))
                }
                if frame.endStream { queue.push(.end(trailers: nil)) }
            } else if frame.endStream {
                queue.push(.end(trailers: HTTPFields(trailers: frame.headers.lazy.map { ($0.name, $0.value) })))
            }
        case .data(let frame):
            if case .byteBuffer(let buffer) = frame.data, buffer.readableBytes > 0 {
                queue.push(.body(Bytes(buffer.readableBytesView)))
            }
            if frame.endStream { queue.push(.end(trailers: nil)) }
        default:
            break
        }
    }

    func read(context: ChannelHandlerContext) {
        if queue.shouldRead() { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        queue.finish()
        onClose()
        context.fireChannelInactive()
    }
}

extension RequestHead {
    /// Reads the pseudo-header fields and header fields of a request (RFC 9113 section 8.3.1).
    fileprivate static func make(_ headers: HPACKHeaders) -> Result<RequestHead, Refusal> {
        guard let method = headers.first(name: ":method").flatMap({ HTTPRequest.Method($0) }) else {
            return .failure(Refusal(status: .badRequest, reason: "the request has no valid :method"))
        }
        var fields = HTTPFields()
        for (name, value, _) in headers where !name.hasPrefix(":") {
            guard let name = HTTPField.Name(name) else {
                return .failure(Refusal(status: .badRequest, reason: "the header name \"\(name)\" isn't a valid token"))
            }
            fields.append(HTTPField(name: name, value: value))
        }
        return .success(
            RequestHead(
                version: "2", method: method, target: headers.first(name: ":path") ?? "",
                authority: headers.first(name: ":authority") ?? headers.first(name: "host") ?? "", headers: fields,
                expectsContinue: headers["expect"].contains { $0.lowercased() == "100-continue" }))
    }
}
#endif
