internal import NetCore

/// A message of a WebSocket as it waits in the queue; redacted.
final class PendingMessage: Sendable {
    let socket: CallID
    /// Counted from 1 within the WebSocket.
    let number: Int
    let occurredAt: Int64
    let isSent: Bool
    /// As ``StoredMessage/Kind`` numbers it.
    let kind: StoredMessage.Kind
    let size: Int64
    let text: String?
    let data: Bytes?
    let isCut: Bool

    init(
        _ socket: CallID, number: Int, occurredAt: Int64, isSent: Bool, kind: StoredMessage.Kind, size: Int64,
        text: String? = nil, data: Bytes? = nil, isCut: Bool = false
    ) {
        self.socket = socket
        self.number = number
        self.occurredAt = occurredAt
        self.isSent = isSent
        self.kind = kind
        self.size = size
        self.text = text
        self.data = data
        self.isCut = isCut
    }

    var bytes: Int { 160 + (text?.utf8.count ?? 0) + (data?.count ?? 0) }
}
