internal import HTTPTypes

/// Hides secrets in the messages of one WebSocket.
///
/// A secret of the handshake, or of JSON that the client has sent, is hidden in every later message, because servers repeat
/// what they were given. In any other text, a secret can't be recognized.
package struct SocketRedaction: Sendable {
    private let policy: RedactionPolicy
    private var secrets: KnownSecrets

    /// Takes the secrets of a handshake that isn't redacted yet.
    ///
    /// - Parameter subprotocol: The subprotocol that contains a secret, if there is one.
    package init(_ handshake: CapturedExchange.Request, subprotocol: String? = nil, policy: RedactionPolicy) {
        self.policy = policy
        secrets = KnownSecrets(policy: policy)
        guard policy != .disabled else { return }
        if let subprotocol { secrets.note(subprotocol) }
        secrets.note(handshake)
    }

    /// The message without secrets. Those that a message of the client names are hidden in later ones, too.
    ///
    /// - Parameter isCut: True for the beginning of a message, which may end within a secret.
    package mutating func redact(
        _ message: WebSocketMessage, from sender: RecordedSocket.Side, isCut: Bool = false
    ) -> WebSocketMessage {
        guard policy != .disabled else { return message }
        switch message {
        case .text(let text):
            return .text(String(decoding: redact(Array(text.utf8), from: sender, isCut: isCut), as: UTF8.self))
        case .binary(let bytes):
            let bytes = Array(bytes)
            return .binary(Bytes(redact(bytes, from: sender, isCut: isCut)))
        }
    }

    private mutating func redact(_ bytes: [UInt8], from sender: RecordedSocket.Side, isCut: Bool) -> [UInt8] {
        // In bytes that aren't text, quotes mean nothing.
        let isText = String(validating: bytes, as: UTF8.self) != nil
        let edits = isText ? policy.edits(in: bytes, contentType: nil) : []
        if sender == .client {
            for edit in edits where edit.isSecret { secrets.note(Array(bytes[edit.range].dropFirst().dropLast())) }
        }
        let redacted = edits.applied(to: bytes)
        let hidden = secrets.edits(in: redacted).applied(to: redacted)
        return isCut ? secrets.hidingCut(in: hidden) : hidden
    }

    /// The reason of a closing handshake is free text, in which servers quote what they were sent: all of it is hidden.
    package func redact(reason: String) -> String {
        policy == .disabled || reason.isEmpty ? reason : policy.placeholder
    }
}
