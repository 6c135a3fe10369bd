internal import HTTPTypes
package import NetCore

/// The opening handshake of a client (RFC 6455 section 4.1): the bytes of the request, then the bytes of the answer to a
/// verdict. It does no I/O.
package struct ClientHandshake: Sendable {
    /// What the answer says so far.
    package enum Outcome: Sendable {
        /// The head is not complete.
        case needsMore
        /// The connection is a WebSocket. `consumed` of the bytes just given belong to the head; frames follow.
        case accepted(ResponseHead, subprotocol: String?, consumed: Int)
        /// The server answered something else than 101. The body is what has arrived of it, as it came, at most 64 KiB.
        case refused(ResponseHead, body: Bytes)
    }

    private let request: WebSocketRequest
    private let host: String
    private let path: String
    private let key: String
    private var head = HandshakeHead()

    /// Takes what the request is made of. `host` is the value of the field `Host`, `path` has the query too, `key` comes
    /// from ``AcceptKey``.
    ///
    /// Left out of the request: fields that the handshake owns, and subprotocols that are no token. `host` and `path`
    /// lose every byte that could end the line.
    package init(request: WebSocketRequest, host: String, path: String, key: String) {
        self.request = request
        self.host = Self.visible(host)
        self.path = Self.visible(path)
        self.key = key
    }

    /// The request.
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

    /// Takes more of the answer; its heads together have at most 64 KiB. Answers 1xx other than 101 are skipped.
    ///
    /// Throws for an answer that is no handshake: not HTTP/1, `Upgrade` or `Connection` missing, a wrong accept value, a
    /// subprotocol or an extension that was not offered. Don't call it again after a verdict.
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

    /// The text without blanks and control characters.
    private static func visible(_ text: String) -> String {
        String(decoding: text.utf8.filter { $0 > 32 && $0 != 127 }, as: UTF8.self)
    }
}
