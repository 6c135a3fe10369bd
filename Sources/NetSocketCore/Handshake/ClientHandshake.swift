package import HTTPTypes
package import NetCore

/// The opening handshake of a client (RFC 6455 section 4.1): creates the bytes of the request, then evaluates the
/// bytes of the response. It performs no I/O.
///
/// | state | bytes | end |
/// |---|---|---|
/// | head | head, accepted, refusal or refused | nil: the response was cut off |
/// | refusal | refusal until the body is complete, then refused | refused, with the part that has arrived |
package struct ClientHandshake: Sendable {
    /// The result of the response bytes received so far.
    package enum Outcome: Sendable {
        /// The response isn't complete.
        case needsMore
        /// The connection is a WebSocket. `consumed` of the bytes just passed belong to the head; frames follow.
        case accepted(ResponseHead, subprotocol: String?, compression: WebSocketCompression?, consumed: Int)
        /// The server responded with a status other than 101. The body is at most 64 KiB.
        case refused(ResponseHead, body: Bytes)
    }

    private let headers: HTTPFields
    private let subprotocols: [String]
    private let compression: WebSocketCompression?
    private let host: String
    private let path: String
    private let key: String
    private var head = HandshakeHead()
    private var refusal: RefusedHandshake?

    /// Creates a handshake.
    ///
    /// The request omits headers that the handshake owns. Every byte that could end the line is removed from `host` and
    /// `path`.
    ///
    /// - Parameters:
    ///   - headers: The additional headers.
    ///   - subprotocols: The subprotocols to offer; values that aren't tokens are omitted.
    ///   - compression: The compression to offer; nil for none.
    ///   - host: The value of the `Host` header.
    ///   - path: The path, with the query.
    ///   - key: A key from ``AcceptKey``.
    package init(
        headers: HTTPFields = [:], subprotocols: [String] = [], compression: WebSocketCompression? = nil, host: String,
        path: String, key: String
    ) {
        self.headers = headers
        self.subprotocols = subprotocols.filter(HandshakeFields.isToken)
        self.compression = compression
        self.host = Self.visible(host)
        self.path = Self.visible(path)
        self.key = key
    }

    /// The bytes of the request.
    package var requestBytes: [UInt8] {
        var text = "GET \(path.isEmpty ? "/" : path) HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\n"
        text += "Connection: Upgrade\r\nSec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n"
        if !subprotocols.isEmpty { text += "Sec-WebSocket-Protocol: \(subprotocols.joined(separator: ", "))\r\n" }
        if let compression { text += "Sec-WebSocket-Extensions: \(CompressionNegotiation.offer(compression))\r\n" }
        for field in headers where !HandshakeFields.owned.contains(field.name) {
            text += "\(field.name.rawName): \(field.value)\r\n"
        }
        return Array((text + "\r\n").utf8)
    }

    /// True if a response other than 101 has arrived, apart from its body.
    package var isRefused: Bool { refusal != nil }

    /// Processes more bytes of the response; its heads may have at most 64 KiB in total. 1xx responses other than 101
    /// are skipped.
    ///
    /// Throws if the response isn't a handshake: not HTTP/1, `Upgrade` or `Connection` missing, a wrong accept value,
    /// or a subprotocol or extension that wasn't offered. Don't call it again after it accepted, refused or threw.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(WebSocketViolation) -> Outcome {
        if refusal != nil { return refused(with: bytes) }
        var consumed = 0
        while let size = try head.take(UnsafeRawBufferPointer(rebasing: bytes[consumed...])) {
            consumed += size
            let answer = try head.finish()
            switch answer.status.code {
            case 101: return try accept(answer, consumed: consumed)
            case 100..<200: continue
            default:
                refusal = RefusedHandshake(answer)
                return refused(with: UnsafeRawBufferPointer(rebasing: bytes[consumed...]))
            }
        }
        return .needsMore
    }

    /// Returns the refusal with the part of its body that has arrived, if the connection has ended or the body takes
    /// too long; nil if there is no complete head.
    package mutating func end() -> Outcome? {
        refusal.map { .refused($0.head, body: Bytes($0.body)) }
    }

    private mutating func refused(with bytes: UnsafeRawBufferPointer) -> Outcome {
        guard var refusal else { return .needsMore }
        let isComplete = refusal.receive(bytes)
        self.refusal = refusal
        return isComplete ? .refused(refusal.head, body: Bytes(refusal.body)) : .needsMore
    }

    private func accept(_ answer: ResponseHead, consumed: Int) throws(WebSocketViolation) -> Outcome {
        func refuse(_ message: String) -> WebSocketViolation { WebSocketViolation(.protocolError, message) }
        guard answer.version == "1.1" else { throw refuse("the 101 response is not HTTP/1.1") }
        guard HandshakeFields.list(answer[.upgrade], has: "websocket") else {
            throw refuse("the response does not upgrade to websocket")
        }
        guard HandshakeFields.list(answer[.connection], has: "upgrade") else {
            throw refuse("the response has no Connection: Upgrade")
        }
        guard let expected = AcceptKey.accept(for: key) else { throw refuse("SHA-1 is not available") }
        guard answer[.secWebSocketAccept] == expected else {
            throw refuse("the response has a missing or wrong Sec-WebSocket-Accept")
        }
        let agreed = try CompressionNegotiation.agreed(answer[.secWebSocketExtensions], offered: compression)
        let subprotocol = answer[.secWebSocketProtocol]
        if let subprotocol, !subprotocols.contains(subprotocol) {
            let name = ServerWords.shown(subprotocol, limit: 60)
            throw refuse("the response has the subprotocol \"\(name)\", which was not offered")
        }
        return .accepted(answer, subprotocol: subprotocol, compression: agreed, consumed: consumed)
    }

    /// Returns the text without spaces and control characters.
    private static func visible(_ text: String) -> String {
        String(decoding: text.utf8.filter { $0 > 32 && $0 != 127 }, as: UTF8.self)
    }
}
