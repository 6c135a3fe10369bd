package import HTTPTypes

/// The opening handshake of a WebSocket as an ordinary request, so that it is prepared and validated in the same place.
package struct HandshakeRequest: APIRequest {
    package typealias Response = Void

    private let request: WebSocketRequest

    package init(_ request: WebSocketRequest) { self.request = request }

    package var path: Path { request.path }
    package var query: QueryItems { request.query }
    package var headers: HTTPFields { request.headers }
    package var serializer: ResponseSerializer<Void> { ResponseSerializer(accept: nil) { _, _, _ in () } }
    package var options: RequestOptions {
        var options = request.options
        options.webSocket = WebSocketOptions(
            subprotocols: request.subprotocols, secretSubprotocol: request.secretSubprotocol,
            maximumMessageBytes: request.maximumMessageBytes, compression: request.compression,
            liveness: request.liveness)
        return options
    }
}
