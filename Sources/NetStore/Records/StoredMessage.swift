public import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A captured message of a WebSocket, redacted.
public struct StoredMessage: Sendable, Hashable {
    /// The kind of a message or control frame.
    public enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// Text.
        case text = 1
        /// Bytes.
        case binary
        /// A ping.
        case ping
        /// A pong.
        case pong
        /// A close frame.
        case close
    }

    /// The number within the WebSocket, from 1.
    public var number: Int
    /// The time when it was sent or received.
    public var date: Date
    /// True if this side sent it.
    public var isSent: Bool
    /// The kind.
    public var kind: Kind
    /// The size of the payload in bytes, before compression.
    public var size: Int64
    /// The text; nil for other kinds and if it wasn't captured.
    public var text: String?
    /// The bytes; nil for text and if they weren't captured.
    public var bytes: Bytes?
    /// True if only the beginning was captured.
    public var isCut: Bool

    package init(
        number: Int, date: Date, isSent: Bool, kind: Kind, size: Int64, text: String?, bytes: Bytes?, isCut: Bool
    ) {
        self.number = number
        self.date = date
        self.isSent = isSent
        self.kind = kind
        self.size = size
        self.text = text
        self.bytes = bytes
        self.isCut = isCut
    }
}

extension StoredMessage {
    static func all(
        of socket: CallID, after number: Int, limit: Int, on connection: SQLiteConnection
    ) throws(StoreError) -> [StoredMessage] {
        var messages: [StoredMessage] = []
        let sql = """
            SELECT number, at, is_sent, kind, size, text, data, is_cut FROM net_message
            WHERE socket = ? AND number > ? ORDER BY number LIMIT ?
            """
        let values: [SQLiteValue] = [.blob(socket.bytes), .integer(Int64(number)), .integer(Int64(max(0, limit)))]
        try connection.query(sql, values) { row throws(StoreError) in
            guard let kind = row.int(3).flatMap(Kind.init(rawValue:)) else {
                throw row.unexpected("a message of an unknown kind")
            }
            messages.append(
                StoredMessage(
                    number: row.int(0) ?? 0, date: StoredTime.date(row.integer(1) ?? 0), isSent: row.bool(2) ?? false,
                    kind: kind, size: row.integer(4) ?? 0, text: row.text(5), bytes: row.blob(6).map { Bytes($0) },
                    isCut: row.bool(7) ?? false))
        }
        return messages
    }
}
