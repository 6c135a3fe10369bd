internal import Synchronization

/// The state shared by the captured messages of one WebSocket: the limit, and the secrets to hide in them.
final class SocketCapture: Sendable {
    /// A message that is sent in parts.
    struct Parts: Sendable {
        private let kind: WebSocketMessage.Kind
        private var bytes: [UInt8] = []
        private(set) var count = 0

        init(_ kind: WebSocketMessage.Kind) { self.kind = kind }

        mutating func append(_ part: Bytes, limit: Int) {
            count += part.count
            let room = min(part.count, limit - bytes.count)
            if room > 0 { part.withUnsafeBytes { bytes.append(contentsOf: $0.prefix(room)) } }
        }

        var message: WebSocketMessage {
            kind == .text ? .text(String(decoding: bytes, as: UTF8.self)) : .binary(Bytes(bytes))
        }
    }

    private enum State {
        /// Nothing has been read yet, so no secrets have been searched for.
        case unread(CapturedExchange.Request, subprotocol: String?, RedactionPolicy)
        case reading(SocketRedaction)
    }

    let limit: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - limit: The maximum number of bytes of each message.
    ///   - handshake: The handshake with its secrets; nil if unknown.
    ///   - subprotocol: The subprotocol that contains a secret, if there is one.
    init(limit: Int, handshake: CapturedExchange.Request?, subprotocol: String?, policy: RedactionPolicy) {
        self.limit = max(0, limit)
        state = Mutex(.unread(handshake ?? .init(method: .get, url: ""), subprotocol: subprotocol, policy))
    }

    /// Returns the beginning of a message. Bytes and shortened text are copied, since a slice would keep a buffer
    /// alive.
    func beginning(of message: WebSocketMessage) -> WebSocketMessage {
        switch message {
        case .text(let text):
            text.utf8.count <= limit ? message : .text(String(decoding: text.utf8.prefix(limit), as: UTF8.self))
        case .binary(let bytes):
            .binary(bytes.withUnsafeBytes { Bytes(copying: UnsafeRawBufferPointer(rebasing: $0.prefix(limit))) })
        }
    }

    func redact(_ message: WebSocketMessage, from sender: RecordedSocket.Side, isCut: Bool) -> WebSocketMessage {
        state.withLock { state in
            var redaction: SocketRedaction =
                switch state {
                case .unread(let handshake, let subprotocol, let policy):
                    SocketRedaction(handshake, subprotocol: subprotocol, policy: policy)
                case .reading(let redaction): redaction
                }
            let redacted = redaction.redact(message, from: sender, isCut: isCut)
            state = .reading(redaction)
            return redacted
        }
    }
}
