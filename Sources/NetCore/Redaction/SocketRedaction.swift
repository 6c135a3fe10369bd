internal import HTTPTypes

/// Hides secrets in the messages of one WebSocket.
///
/// Secrets of the handshake, and of JSON sent by the client, are hidden in every later message, because servers
/// repeat the values they received. In any other text, secrets can't be recognized.
package struct SocketRedaction: Sendable {
    private let policy: RedactionPolicy
    private var secrets: KnownSecrets

    /// Collects the secrets of a handshake that isn't redacted yet.
    ///
    /// - Parameter subprotocol: The subprotocol that contains a secret, if there is one.
    package init(_ handshake: CapturedExchange.Request, subprotocol: String? = nil, policy: RedactionPolicy) {
        self.policy = policy
        secrets = KnownSecrets()
        guard policy != .disabled else { return }
        if let subprotocol { secrets.note(subprotocol, by: policy) }
        secrets.note(handshake, by: policy)
    }

    /// Returns the message without secrets. Secrets in a client message are also hidden in later messages.
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
        // In bytes that aren't text, quotation marks have no meaning.
        let isText = String(validating: bytes, as: UTF8.self) != nil
        let edits = isText ? policy.edits(in: bytes, contentType: nil) : policy.valueEdits(in: bytes)
        if sender == .client {
            for edit in edits where edit.isSecret {
                secrets.note(String(decoding: bytes[edit.range].dropFirst().dropLast(), as: UTF8.self), by: policy)
            }
        }
        let redacted = edits.applied(to: bytes)
        let hidden = redacted.withUnsafeBytes { secrets.edits(in: $0, by: policy) }.applied(to: redacted)
        guard isCut else { return hidden }
        let beginning = max(
            policy.beginningOfSecret(atEndOf: hidden, secrets), policy.beginningOfSecret(atEndOf: hidden, nil))
        return beginning == 0 ? hidden : hidden.dropLast(beginning) + policy.placeholder.utf8
    }

    /// Hides the whole reason of a closing handshake: it is free text, in which servers quote what they received.
    package func redact(reason: String) -> String {
        policy == .disabled || reason.isEmpty ? reason : policy.placeholder
    }
}
