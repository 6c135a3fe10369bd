internal import NetCore

/// A captured WebSocket message waiting in the queue. The writer reads the messages of a WebSocket in order, each once.
final class PendingMessage: Sendable {
    let socket: CallID
    /// The message's number within the WebSocket, from 1.
    let number: Int
    let occurredAt: Int64
    let isSent: Bool
    let kind: StoredMessage.Kind
    /// The size of the whole payload.
    let size: Int64
    let isCut: Bool
    /// The approximate memory in use, in bytes.
    let bytes: Int
    private let read: @Sendable () -> WebSocketMessage?

    /// - Parameters:
    ///   - bytes: The approximate memory in use.
    ///   - read: Returns the redacted message; nil if its content isn't kept.
    init(
        _ socket: CallID, number: Int, occurredAt: Int64, isSent: Bool, kind: StoredMessage.Kind, size: Int64,
        isCut: Bool = false, bytes: Int = 0, _ read: @escaping @Sendable () -> WebSocketMessage? = { nil }
    ) {
        self.socket = socket
        self.number = number
        self.occurredAt = occurredAt
        self.isSent = isSent
        self.kind = kind
        self.size = size
        self.isCut = isCut
        self.bytes = 160 + bytes
        self.read = read
    }

    /// Returns the row to write.
    func row() -> MessageRow { MessageRow(message: self, content: read()) }
}

/// The row of a captured message.
struct MessageRow: Sendable {
    let message: PendingMessage
    let content: WebSocketMessage?
}
