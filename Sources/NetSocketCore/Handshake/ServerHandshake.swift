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

    /// The reason why a request isn't a handshake, and the status and headers of the response.
    package struct Refusal: Error, Equatable {
        package var status: HTTPResponse.Status
        /// A sentence for the body.
        package var message: String
        package var headers: HTTPFields = [.secWebSocketVersion: "13"]

        fileprivate init(_ message: String, status: HTTPResponse.Status = .badRequest) {
            (self.status, self.message) = (status, message)
            // A response 426 names what to upgrade to (RFC 9110 section 15.5.22).
            if status == .upgradeRequired { headers[.upgrade] = "websocket" }
        }
    }

    /// Returns the response to a handshake. The subprotocol is the first one offered by the client that is in
    /// `subprotocols`; messages are compressed if both sides want it.
    ///
    /// Throws if the request isn't valid, or for another version of the protocol.
    ///
    /// - Parameter isHTTP10: True for a request with HTTP/1.0, which knows no upgrades.
    package static func accept(
        method: HTTPRequest.Method, isHTTP10: Bool = false, headers: HTTPFields, subprotocols: [String],
        compression: WebSocketCompression? = nil
    ) throws(Refusal) -> Answer {
        func refuse(_ message: String) -> Refusal { Refusal(message) }
        guard method == .get else { throw refuse("A WebSocket handshake must use the method GET.") }
        guard !isHTTP10 else { throw refuse(oldHTTP) }
        let fields = Fields(headers)
        guard HandshakeFields.list(fields.upgrade, has: "websocket") else {
            throw refuse("The Upgrade header does not name websocket.")
        }
        guard HandshakeFields.list(fields.connection, has: "upgrade") else {
            throw refuse("The Connection header does not name Upgrade.")
        }
        guard fields.version == "13" else {
            guard fields.version != nil else { throw refuse("The Sec-WebSocket-Version header is missing.") }
            throw Refusal("The Sec-WebSocket-Version header is not 13.", status: .upgradeRequired)
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

    /// The sentence for a request with HTTP/1.0 (RFC 6455 section 4.2.1), which nginx sends unless it is configured.
    package static let oldHTTP =
        "A WebSocket handshake needs HTTP/1.1, and this request has HTTP/1.0. In nginx, set proxy_http_version 1.1."

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
