internal import NetCompression
internal import NetCore
internal import NetCrypto

/// Keeps bodies, each once, however many captures use it.
final class BodyStatement {
    /// Text below this size isn't worth compressing.
    static let leastCompressed = 512

    /// The most bytes that are kept of a body.
    let maximumBytes: Int
    private let insert, release, delete: SQLiteStatement
    private let path: String

    init(on connection: SQLiteConnection, maximumBytes: Int) throws(StoreError) {
        self.maximumBytes = maximumBytes
        path = connection.path
        insert = try connection.prepare(
            """
            INSERT INTO net_body (hash, uses, size, is_compressed, data) VALUES (?, 1, ?, ?, ?)
            ON CONFLICT (hash) DO UPDATE SET uses = uses + 1 RETURNING id
            """)
        release = try connection.prepare("UPDATE net_body SET uses = uses - 1 WHERE id = ?")
        delete = try connection.prepare("DELETE FROM net_body WHERE id = ? AND uses <= 0")
    }

    /// Returns the number of a body, which is kept if it isn't yet; nil for one that is empty. Counts one use more.
    func keep(_ body: PendingCapture.Body?) throws(StoreError) -> Int64? {
        guard let body, !body.bytes.isEmpty else { return nil }
        let bytes = body.bytes.count > maximumBytes ? body.bytes[0..<maximumBytes] : body.bytes
        guard let hash = RunningHash.digest(of: bytes, .sha256) else {
            throw StoreError(.unsupported, message: "this system has no SHA-256", path: path)
        }
        let compressed = Self.compressed(bytes, type: body.type)
        let data = compressed ?? bytes
        hash.withUnsafeBytes { insert.set(1, $0) }
        insert.set(2, bytes.count)
        insert.set(3, compressed != nil)
        data.withUnsafeBytes { insert.set(4, $0) }
        var id: Int64?
        try insert.rows { row throws(StoreError) in id = row.integer(0) }
        return id
    }

    /// Counts one use less, and deletes the body that nothing uses any more.
    func release(_ id: Int64) throws(StoreError) {
        release.set(1, id)
        try release.run()
        delete.set(1, id)
        try delete.run()
    }

    /// The gzip stream of a text; nil if it isn't shorter, or the bytes aren't text.
    static func compressed(_ bytes: Bytes, type: String?) -> Bytes? {
        guard bytes.count >= leastCompressed, isText(type, bytes) else { return nil }
        guard var deflater = Deflater(level: 1) else { return nil }
        let result = deflater.encode(bytes, isLast: true)
        return result.count < bytes.count ? result : nil
    }

    /// The bytes of a gzip stream; nil for one that is damaged.
    static func expanded(_ bytes: [UInt8]) -> Bytes? {
        var inflater = Inflater(.gzip)
        var rest = Bytes(bytes)
        var result: [UInt8] = []
        while let piece = try? inflater.piece(of: &rest) { result.append(contentsOf: piece) }
        return (try? inflater.finish()) == nil ? nil : Bytes(result)
    }

    private static func isText(_ type: String?, _ bytes: Bytes) -> Bool {
        guard let type else { return bytes.withUnsafeBytes { !$0.prefix(512).contains(0) } }
        return type.hasPrefix("text/")
            || ["json", "xml", "javascript", "x-www-form-urlencoded", "graphql", "yaml", "csv"].contains {
                type.contains($0)
            }
    }
}

/// Inserts captured attempts and messages of WebSockets.
final class CaptureStatement {
    private let bodies: BodyStatement
    private let insert, message, shorten, type: SQLiteStatement
    /// The most messages that are kept of a WebSocket.
    private let maximumMessages: Int
    private let names: NameTable

    init(
        on connection: SQLiteConnection, names: NameTable, bodies: BodyStatement, maximumMessages: Int
    ) throws(StoreError) {
        self.names = names
        self.bodies = bodies
        self.maximumMessages = maximumMessages
        insert = try connection.prepare(
            """
            INSERT INTO net_capture (call, number, status, request_fields, request_body, request_size, request_is_cut,
                response_fields, response_body, response_size, response_is_cut, trailers, pieces)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        message = try connection.prepare(
            """
            INSERT OR REPLACE INTO net_message (socket, number, at, is_sent, kind, size, text, data, is_cut)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        shorten = try connection.prepare("DELETE FROM net_message WHERE socket = ? AND number <= ?")
        // A capture that comes after the call's row.
        type = try connection.prepare(
            """
            UPDATE net_item SET request_type = coalesce(?, request_type), response_type = coalesce(?, response_type)
            WHERE uid = ? AND kind = 1
            """)
    }

    func write(_ capture: PendingCapture, isLate: Bool) throws(StoreError) {
        insert.set(1, capture.call)
        insert.set(2, capture.number)
        insert.set(3, capture.status)
        insert.set(4, capture.requestFields)
        insert.set(5, try bodies.keep(capture.request))
        insert.set(6, capture.request?.size)
        insert.set(7, capture.request.map(isCut))
        insert.set(8, capture.responseFields)
        insert.set(9, try bodies.keep(capture.response))
        insert.set(10, capture.response?.size)
        insert.set(11, capture.response.map(isCut))
        insert.set(12, capture.trailers)
        insert.set(13, capture.pieces)
        try insert.run()
        guard isLate, capture.request?.type != nil || capture.response?.type != nil else { return }
        type.set(1, try names.id(capture.request?.type))
        type.set(2, try names.id(capture.response?.type))
        type.set(3, capture.call)
        try type.run()
    }

    func write(_ pending: PendingMessage) throws(StoreError) {
        message.set(1, pending.socket)
        message.set(2, pending.number)
        message.set(3, pending.occurredAt)
        message.set(4, pending.isSent)
        message.set(5, pending.kind.rawValue)
        message.set(6, pending.size)
        message.set(7, pending.text)
        if let data = pending.data {
            data.withUnsafeBytes { message.set(8, $0) }
        } else {
            message.set(8, nil as Int64?)
        }
        message.set(9, pending.isCut ? true : nil)
        try message.run()
        // In steps, since a deletion costs as much as an insertion.
        guard pending.number > maximumMessages, pending.number % 64 == 0 else { return }
        shorten.set(1, pending.socket)
        shorten.set(2, pending.number - maximumMessages)
        try shorten.run()
    }

    private func isCut(_ body: PendingCapture.Body) -> Bool { body.isCut || body.bytes.count > bodies.maximumBytes }
}
