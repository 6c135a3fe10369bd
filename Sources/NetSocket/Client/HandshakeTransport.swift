internal import HTTPTypes
internal import NetCore
internal import NetSocketCore

/// Adapts a WebSocket transport to the end of a handshake's middleware chain. A link travels outward with the response
/// 101, and is dropped with it if a middleware replaces that response.
struct HandshakeTransport: HTTPTransport {
    private let transport: any WebSocketTransport

    init(_ transport: any WebSocketTransport) { self.transport = transport }

    var endsWithCall: Bool { transport.endsWithCall }

    func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse {
        switch try await transport.connect(request, context: context) {
        case .refused(let response): return response
        case .opened(let link):
            var response = StreamedResponse(head: link.response)
            response.link = link
            // A server that selects the subprotocol with the token sends the token back.
            if let secret = request.options.webSocket?.secretSubprotocol,
                response.head[.secWebSocketProtocol] == secret
            {
                let redaction = context.redaction(of: request)
                response.head.headers[.secWebSocketProtocol] = redaction.hidden(secret)
            }
            return response
        }
    }

    func shutdown() async { await transport.shutdown() }
}
