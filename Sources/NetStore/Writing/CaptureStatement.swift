internal import NetCore

/// Inserts captured attempts and WebSocket messages.
///
/// Skips captures without an entry, finished or under way: nothing would ever delete them.
final class CaptureStatement {
    private let names: NameTable
    private let bodies: BodyStatement
    /// The maximum number of messages kept per WebSocket.
    private let maximumMessages: Int
    private let insert, message, shorten, type, find: SQLiteStatement

    /// Responses from a cache are numbered 0, -1, … within their call.
    private static let cacheNumber = "(SELECT min(coalesce(min(number), 1), 1) - 1 FROM net_capture WHERE call = ?1)"

    init(
        on connection: SQLiteConnection, names: NameTable, bodies: BodyStatement, maximumMessages: Int
    ) throws(StoreError) {
        self.names = names
        self.bodies = bodies
        self.maximumMessages = maximumMessages
        insert = try connection.prepare(
            """
            INSERT INTO net_capture (call, number, status, request_fields, request_body, request_size, request_is_cut,
                response_fields, response_body, response_size, response_is_cut, trailers, pieces, request_file)
            VALUES (?1, CASE ?2 WHEN 0 THEN \(Self.cacheNumber) ELSE ?2 END, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,
                ?14)
            """)
        message = try connection.prepare(
            """
            INSERT OR REPLACE INTO net_message (socket, number, at, is_sent, kind, size, text, data, is_cut)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        shorten = try connection.prepare("DELETE FROM net_message WHERE socket = ? AND number <= ?")
        type = try connection.prepare(
            """
            UPDATE net_item SET request_type = coalesce(?, request_type), response_type = coalesce(?, response_type)
            WHERE uid = ? AND kind = 1
            """)
        find = try connection.prepare("SELECT 1 FROM net_item WHERE uid = ? AND kind = ?")
    }

    func write(_ row: CaptureRow, isUnderWay: Bool) throws(StoreError) {
        if !isUnderWay, try !isStored(ItemKey(row.call, .call)) { return }
        let content = row.content
        insert.set(1, row.call)
        insert.set(2, row.number)
        insert.set(3, content.status)
        insert.set(4, content.requestHeaders)
        insert.set(5, try bodies.keep(content.request))
        insert.set(6, content.request?.size)
        insert.set(7, content.request.map(isCut))
        insert.set(8, content.responseHeaders)
        insert.set(9, try bodies.keep(content.response))
        insert.set(10, content.response?.size)
        insert.set(11, content.response.map(isCut))
        insert.set(12, content.trailers)
        insert.set(13, content.pieces)
        insert.set(14, content.request?.file)
        try insert.run()
        // The row of an ended call may have been written without its media types.
        guard !isUnderWay, content.request?.type != nil || content.response?.type != nil else { return }
        type.set(1, try names.id(content.request?.type))
        type.set(2, try names.id(content.response?.type))
        type.set(3, row.call)
        try type.run()
    }

    func write(_ row: MessageRow, isUnderWay: Bool) throws(StoreError) {
        let pending = row.message
        if !isUnderWay, try !isStored(ItemKey(pending.socket, .socket)) { return }
        message.set(1, pending.socket)
        message.set(2, pending.number)
        message.set(3, pending.occurredAt)
        message.set(4, pending.isSent)
        message.set(5, pending.kind.rawValue)
        message.set(6, pending.size)
        message.set(7, nil as String?)
        message.set(8, nil as Int64?)
        switch row.content {
        case .text(let text): message.set(7, text)
        case .binary(let data): data.withUnsafeBytes { message.set(8, $0) }
        case nil: break
        }
        message.set(9, pending.isCut ? true : nil)
        try message.run()
        // Deletes in steps of 64, since a deletion costs as much as an insertion.
        guard pending.number > maximumMessages, pending.number % 64 == 0 else { return }
        shorten.set(1, pending.socket)
        shorten.set(2, pending.number - maximumMessages)
        try shorten.run()
    }

    private func isStored(_ key: ItemKey) throws(StoreError) -> Bool {
        var isStored = false
        find.set(1, key.uid)
        find.set(2, key.kind.rawValue)
        try find.rows { _ throws(StoreError) in isStored = true }
        return isStored
    }

    private func isCut(_ body: CaptureContent.Body) -> Bool { body.isCut || body.bytes.count > bodies.maximumBytes }
}
