internal import HTTPTypes
package import NetCore

/// The opening handshake of a client (RFC 6455 section 4.1): creates the bytes of the request, then judges the bytes of
/// the response. It performs no I/O.
package struct ClientHandshake: Sendable {
    /// The result of the response bytes received so far.
    package enum Outcome: Sendable {
        /// The head isn't complete.
        case needsMore
        /// The connection is a WebSocket. `consumed` of the bytes just passed belong to the head; frames follow.
        case accepted(ResponseHead, subprotocol: String?, consumed: Int)
        /// The server responded with a status other than 101. The body is the part that has arrived, not decoded, at
        /// most 64 KiB.
        case refused(ResponseHead, body: Bytes)
    }

    private let request: WebSocketRequest
    private let host: String
    private let path: String
    private let key: String
    private var head = HandshakeHead()

    /// Creates a handshake.
    ///
    /// The request omits headers that the handshake owns, and subprotocols that aren't tokens. Every byte that could
    /// end the line is removed from `host` and `path`.
    ///
    /// - Parameters:
    ///   - request: The subprotocols to offer and the additional headers.
    ///   - host: The value of the `Host` header.
    ///   - path: The path, with the query.
    ///   - key: A key from ``AcceptKey``.
    package init(request: WebSocketRequest, host: String, path: String, key: String) {
        self.request = request
        self.host = Self.visible(host)
        self.path = Self.visible(path)
        self.key = key
    }

    /// The bytes of the request.
    package var requestBytes: [UInt8] {
        var text = "GET \(path.isEmpty ? "/" : path) HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\n"
        text += "Connection: Upgrade\r\nSec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n"
        let offered = offeredSubprotocols
        if !offered.isEmpty { text += "Sec-WebSocket-Protocol: \(offered.joined(separator: ", "))\r\n" }
        for field in request.fields where !HandshakeFields.owned.contains(field.name) {
            text += "\(field.name.rawName): \(field.value)\r\n"
        }
        return Array((text + "\r\n").utf8)
    }

    /// Processes more of the response; its heads together have at most 64 KiB. Responses 1xx other than 101 are
    /// skipped.
    ///
    /// Throws if the response isn't a handshake: not HTTP/1, `Upgrade` or `Connection` missing, a wrong accept value,
    /// or a subprotocol or extension that wasn't offered. Don't call it again after it accepted, refused or threw.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(WebSocketViolation) -> Outcome {
        var consumed = 0
        while let size = try head.take(UnsafeRawBufferPointer(rebasing: bytes[consumed...])) {
            consumed += size
            let answer = try head.finish()
            switch answer.status.code {
            case 101: return try accept(answer, consumed: consumed)
            case 100..<200: continue
            default: return .refused(answer, body: Bytes(bytes[consumed...].prefix(HandshakeHead.limit)))
            }
        }
        return .needsMore
    }

    private func accept(_ answer: ResponseHead, consumed: Int) throws(WebSocketViolation) -> Outcome {
        func refuse(_ message: String) -> WebSocketViolation { WebSocketViolation(.protocolError, message) }
        guard answer.version == "1.1" else { throw refuse("the answer 101 is not HTTP/1.1") }
        guard HandshakeFields.list(answer[.upgrade], has: "websocket") else {
            throw refuse("the answer does not upgrade to websocket")
        }
        guard HandshakeFields.list(answer[.connection], has: "upgrade") else {
            throw refuse("the answer has no Connection: Upgrade")
        }
        guard let expected = AcceptKey.accept(for: key) else { throw refuse("SHA-1 is not available") }
        guard answer[.secWebSocketAccept] == expected else {
            throw refuse("the answer has a missing or wrong Sec-WebSocket-Accept")
        }
        guard HandshakeFields.list(answer[.secWebSocketExtensions]).isEmpty else {
            throw refuse("the answer has an extension that was not offered")
        }
        let subprotocol = answer[.secWebSocketProtocol]
        if let subprotocol, !offeredSubprotocols.contains(subprotocol) {
            throw refuse("the answer has a subprotocol that was not offered")
        }
        return .accepted(answer, subprotocol: subprotocol, consumed: consumed)
    }

    private var offeredSubprotocols: [String] { request.subprotocols.filter(HandshakeFields.isToken) }

    /// Returns the text without spaces and control characters.
    private static func visible(_ text: String) -> String {
        String(decoding: text.utf8.filter { $0 > 32 && $0 != 127 }, as: UTF8.self)
    }
}
