package import HTTPTypes
internal import NetCore

/// The opening handshake of a server (RFC 6455 section 4.2): the headers of a request determine those of the 101
/// response.
package struct ServerHandshake {
    /// The headers of a response 101, and what both sides have agreed on.
    package struct Answer {
        package var headers: HTTPFields
        package var subprotocol: String?
        package var compression: WebSocketCompression?
    }

    /// Returns the response to a handshake. The subprotocol is the first one offered by the client that is in
    /// `subprotocols`; messages are compressed if both sides want it.
    ///
    /// Throws if the request isn't valid; the message is a sentence for the body of a 400 response.
    package static func accept(
        method: HTTPRequest.Method, headers: HTTPFields, subprotocols: [String],
        compression: WebSocketCompression? = nil
    ) throws(WebSocketViolation) -> Answer {
        func refuse(_ message: String) -> WebSocketViolation { WebSocketViolation(.protocolError, message) }
        guard method == .get else { throw refuse("The method of a WebSocket handshake is GET.") }
        guard HandshakeFields.list(headers[.upgrade], has: "websocket") else {
            throw refuse("The field Upgrade does not name websocket.")
        }
        guard HandshakeFields.list(headers[.connection], has: "upgrade") else {
            throw refuse("The field Connection does not name Upgrade.")
        }
        guard headers[.secWebSocketVersion] == "13" else {
            throw refuse("The field Sec-WebSocket-Version is not 13.")
        }
        guard let key = headers[.secWebSocketKey], AcceptKey.isKey(key) else {
            throw refuse("The field Sec-WebSocket-Key is not 16 bytes in base64.")
        }
        guard let accept = AcceptKey.accept(for: key) else { throw refuse("SHA-1 is not available.") }
        let offered = HandshakeFields.list(headers[.secWebSocketProtocol])
        guard offered.allSatisfy(HandshakeFields.isToken) else {
            throw refuse("The field Sec-WebSocket-Protocol has an element that is no token.")
        }
        var answer = Answer(headers: [
            .upgrade: "websocket", .connection: "Upgrade", .secWebSocketAccept: accept,
        ])
        answer.subprotocol = offered.first(where: subprotocols.contains)
        if let subprotocol = answer.subprotocol { answer.headers[.secWebSocketProtocol] = subprotocol }
        let extensions = headers[.secWebSocketExtensions]
        if let compression, let (field, agreed) = CompressionNegotiation.answer(extensions, settings: compression) {
            answer.headers[.secWebSocketExtensions] = field
            answer.compression = agreed
        }
        return answer
    }
}
