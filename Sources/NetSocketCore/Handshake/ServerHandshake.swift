package import HTTPTypes
internal import NetCore

/// The opening handshake of a server (RFC 6455 section 4.2): the headers of a request determine those of the 101
/// response.
package struct ServerHandshake {
    /// The headers of a 101 response, and the negotiated subprotocol and compression.
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
        guard method == .get else { throw refuse("A WebSocket handshake must use the method GET.") }
        let fields = Fields(headers)
        guard HandshakeFields.list(fields.upgrade, has: "websocket") else {
            throw refuse("The Upgrade header does not name websocket.")
        }
        guard HandshakeFields.list(fields.connection, has: "upgrade") else {
            throw refuse("The Connection header does not name Upgrade.")
        }
        guard fields.version == "13" else {
            throw refuse("The Sec-WebSocket-Version header is not 13.")
        }
        guard let key = fields.key, AcceptKey.isKey(key) else {
            throw refuse("The Sec-WebSocket-Key header is not 16 bytes in base64.")
        }
        guard let accept = AcceptKey.accept(for: key) else { throw refuse("SHA-1 is not available.") }
        let offered = HandshakeFields.list(fields.subprotocols)
        guard offered.allSatisfy(HandshakeFields.isToken) else {
            throw refuse("The Sec-WebSocket-Protocol header has an element that isn't a token.")
        }
        var answer = Answer(headers: [
            .upgrade: "websocket", .connection: "Upgrade", .secWebSocketAccept: accept,
        ])
        answer.subprotocol = offered.first(where: subprotocols.contains)
        if let subprotocol = answer.subprotocol { answer.headers[.secWebSocketProtocol] = subprotocol }
        if let compression,
            let (field, agreed) = CompressionNegotiation.answer(fields.extensions, settings: compression)
        {
            answer.headers[.secWebSocketExtensions] = field
            answer.compression = agreed
        }
        return answer
    }

    /// The values of the handshake's header fields, with repeated fields joined, collected in one pass: each lookup by
    /// name is a separate pass, and six of them cost a server as much as the key's digest.
    private struct Fields {
        var upgrade: String?
        var connection: String?
        var version: String?
        var key: String?
        var subprotocols: String?
        var extensions: String?

        init(_ headers: HTTPFields) {
            for field in headers {
                switch field.name {
                case .upgrade: Self.add(field, to: &upgrade)
                case .connection: Self.add(field, to: &connection)
                case .secWebSocketVersion: Self.add(field, to: &version)
                case .secWebSocketKey: Self.add(field, to: &key)
                case .secWebSocketProtocol: Self.add(field, to: &subprotocols)
                case .secWebSocketExtensions: Self.add(field, to: &extensions)
                default: break
                }
            }
        }

        private static func add(_ field: HTTPField, to value: inout String?) {
            value = value.map { "\($0), \(field.value)" } ?? field.value
        }
    }
}
