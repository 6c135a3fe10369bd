internal import HTTPTypes

/// Hides secrets in the messages of one WebSocket.
///
/// A secret of the handshake, or of JSON that the client has sent, is hidden in every later message, because servers repeat
/// what they were given. In any other text, a secret can't be recognized.
package struct SocketRedaction: Sendable {
    /// A shorter one is part of ordinary words.
    private static let shortest = 8
    private static let maximumSecrets = 64

    private let policy: RedactionPolicy
    private var secrets: [[UInt8]] = []

    /// Takes the secrets of a handshake that isn't redacted yet.
    ///
    /// - Parameter subprotocol: The subprotocol that contains a secret, if there is one.
    package init(_ handshake: CapturedExchange.Request, subprotocol: String? = nil, policy: RedactionPolicy) {
        self.policy = policy
        guard policy != .disabled else { return }
        if let subprotocol { note(subprotocol) }
        for field in handshake.headers where policy.isSensitive(field.name) {
            note(field.value)
            // A scheme and its token; cookies and parameters with their names.
            for word in field.value.split(whereSeparator: { " ,;".contains($0) }) {
                note(word)
                if let equals = word.firstIndex(of: "=") { note(word[word.index(after: equals)...]) }
            }
        }
        let query = handshake.url.firstIndex(of: "?").map { handshake.url[handshake.url.index(after: $0)...] } ?? ""
        for item in query.split(separator: "&") {
            guard let equals = item.firstIndex(of: "=") else { continue }
            let (name, value) = (item[..<equals], item[item.index(after: equals)...])
            guard policy.isSensitive(formName: PercentEncoding.decode(name, plusIsSpace: true)) else { continue }
            note(value)
            note(PercentEncoding.decode(value, plusIsSpace: true))
        }
    }

    private mutating func note(_ secret: some StringProtocol) { note(Array(secret.utf8)) }

    private mutating func note(_ secret: [UInt8]) {
        guard secret.count >= Self.shortest, secrets.count < Self.maximumSecrets, !secrets.contains(secret),
            Array(policy.placeholder.utf8).firstRange(of: secret) == nil,
            !policy.isHidden(String(decoding: secret, as: UTF8.self))
        else { return }
        secrets.append(secret)
        // The longest first: one that contains another is hidden whole.
        secrets.sort { $0.count > $1.count }
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
            for edit in edits where edit.isSecret { note(Array(bytes[edit.range].dropFirst().dropLast())) }
        }
        let redacted = hidingKnown(in: edits.applied(to: bytes))
        return isCut ? hidingCut(in: redacted) : redacted
    }

    /// Hides the beginning of a known secret at the end of a message that was cut.
    private func hidingCut(in bytes: [UInt8]) -> [UInt8] {
        for secret in secrets {
            let lengths = stride(from: min(secret.count - 1, bytes.count), to: 3, by: -1)
            if let length = lengths.first(where: { bytes.suffix($0).elementsEqual(secret.prefix($0)) }) {
                return bytes.dropLast(length) + policy.placeholder.utf8
            }
        }
        return bytes
    }

    private func hidingKnown(in bytes: [UInt8]) -> [UInt8] {
        secrets.reduce(bytes) { bytes, secret in
            guard bytes.firstRange(of: secret) != nil else { return bytes }
            var (result, rest) = ([UInt8](), bytes[...])
            while let range = rest.firstRange(of: secret) {
                result += rest[..<range.lowerBound]
                result += policy.hidden(secret)
                rest = rest[range.upperBound...]
            }
            return result + rest
        }
    }

    /// The reason of a closing handshake is free text, in which servers quote what they were sent: all of it is hidden.
    package func redact(reason: String) -> String {
        policy == .disabled || reason.isEmpty ? reason : policy.placeholder
    }
}
