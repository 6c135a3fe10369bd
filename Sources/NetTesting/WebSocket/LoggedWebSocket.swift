public import NetCore

/// A peer's log of one WebSocket.
public struct LoggedWebSocket: Sendable {
    /// The negotiated subprotocol; nil if there is none.
    public let subprotocol: String?
    /// The compression that both sides agreed on; nil for none.
    public let compression: WebSocketCompression?
    /// The client's messages, oldest first, as far as the log has room: up to its limit of bytes, and up to 1,000
    /// messages.
    public package(set) var messages: [WebSocketMessage] = []
    /// The number of messages that the client sent.
    public package(set) var messageCount = 0
    /// The total size of their payloads, in bytes.
    public package(set) var messageBytes: Int64 = 0
    /// The number of pings that the client sent.
    public package(set) var pings = 0
    /// The number of pongs that the client sent.
    public package(set) var pongs = 0
    /// The end of the connection, with `isByPeer` set if the client closed first; nil while it is open, or if no close
    /// frame arrived.
    public package(set) var closure: WebSocketClosure?
    /// A description of the client's protocol violation; nil if there was none.
    public package(set) var violation: String?

    package init(subprotocol: String?, compression: WebSocketCompression? = nil) {
        self.subprotocol = subprotocol
        self.compression = compression
    }

    private static let maximumMessages = 1000
    private var keptBytes = 0

    /// Counts a message, and keeps a copy if there is room. Without the copy, a slice of the decoder's block would keep
    /// the whole block alive.
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
