public import NetCore

/// What the peer has seen on a WebSocket.
public struct LoggedWebSocket: Sendable {
    /// The subprotocol that was agreed; nil for none.
    public let subprotocol: String?
    /// The client's messages, oldest first, as far as the log has room: the log's limit of bytes, and 1,000 of them.
    public package(set) var messages: [WebSocketMessage] = []
    /// How many messages the client sent.
    public package(set) var messageCount = 0
    /// The size of their payloads together.
    public package(set) var messageBytes: Int64 = 0
    /// The client's pings.
    public package(set) var pings = 0
    /// The client's pongs.
    public package(set) var pongs = 0
    /// How the connection ended, `isByPeer` where the client began; nil while it is open, and where no close frame came.
    public package(set) var closure: WebSocketClosure?
    /// How the client broke the protocol; nil where it did not.
    public package(set) var violation: String?

    package init(subprotocol: String?) {
        self.subprotocol = subprotocol
    }

    private static let maximumMessages = 1000
    private var keptBytes = 0

    /// Counts a message, and keeps a copy where there is room: a part of the decoder's block would hold all of it.
    package mutating func note(_ message: WebSocketMessage, limit: Int) {
        if messages.count < Self.maximumMessages, keptBytes + message.count <= limit {
            if case .binary(let bytes) = message {
                messages.append(.binary(Bytes(bytes)))
            } else {
                messages.append(message)
            }
            keptBytes += message.count
        }
        messageCount += 1
        messageBytes += Int64(message.count)
    }
}
