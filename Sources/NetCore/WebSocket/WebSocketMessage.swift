/// One message of a WebSocket: text or bytes (RFC 6455 section 5.6). Fragments are already combined.
///
///     let message = WebSocketMessage.text("hello")
///     switch message {
///     case .text(let text): print(text)
///     case .binary(let bytes): print(bytes.count)
///     }
public enum WebSocketMessage: Sendable, Hashable {
    /// Text, sent as UTF-8. Received text that isn't valid UTF-8 ends the connection with 1007.
    case text(String)
    /// Bytes. Small received messages share a block of memory with adjacent ones; copy bytes that you keep for a long
    /// time.
    case binary(Bytes)

    /// The kind of a message.
    public enum Kind: Sendable, Hashable {
        /// Text in UTF-8.
        case text
        /// Bytes.
        case binary
    }

    /// The kind: text or bytes.
    public var kind: Kind { if case .text = self { .text } else { .binary } }

    /// The size of the payload in bytes.
    public var count: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }

    /// The text; nil for bytes.
    public var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The bytes; nil for text.
    public var binary: Bytes? { if case .binary(let bytes) = self { bytes } else { nil } }
}
