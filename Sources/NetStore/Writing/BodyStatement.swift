internal import NetCompression
internal import NetCore
internal import NetCrypto

/// Stores bodies, each once, however many captures use it.
final class BodyStatement {
    /// Text below this size isn't worth compressing.
    static let leastCompressed = 512

    /// The maximum number of bytes stored per body.
    let maximumBytes: Int
    private let connection: SQLiteConnection
    private var deflater: Deflater?
    private let find, use, insert, release, delete: SQLiteStatement

    init(on connection: SQLiteConnection, maximumBytes: Int) throws(StoreError) {
        self.maximumBytes = maximumBytes
        self.connection = connection
        // Not one statement with RETURNING: SQLite then opens a savepoint for each row, which took as long as the row.
        find = try connection.prepare("SELECT id FROM net_body WHERE hash = ?")
        use = try connection.prepare("UPDATE net_body SET uses = uses + 1 WHERE id = ?")
        insert = try connection.prepare(
            "INSERT INTO net_body (hash, uses, size, is_compressed, data) VALUES (?, 1, ?, ?, ?)")
        release = try connection.prepare("UPDATE net_body SET uses = uses - 1 WHERE id = ?")
        delete = try connection.prepare("DELETE FROM net_body WHERE id = ? AND uses <= 0")
    }

    /// Stores a body unless it's already stored, adds one use, and returns its number; nil for an empty body.
    func keep(_ body: CaptureContent.Body?) throws(StoreError) -> Int64? {
        guard let body, !body.bytes.isEmpty else { return nil }
        let bytes = body.bytes.count > maximumBytes ? body.bytes[0..<maximumBytes] : body.bytes
        guard let hash = RunningHash.digest(of: bytes, .sha256) else {
            throw StoreError(.unsupported, message: "this system has no SHA-256", path: connection.path)
        }
        hash.withUnsafeBytes { find.set(1, $0) }
        var known: Int64?
        try find.rows { row throws(StoreError) in known = row.integer(0) }
        if let known {
            use.set(1, known)
            try use.run()
            return known
        }
        let compressed = compressed(bytes, type: body.type)
        let data = compressed ?? bytes
        hash.withUnsafeBytes { insert.set(1, $0) }
        insert.set(2, bytes.count)
        insert.set(3, compressed != nil)
        data.withUnsafeBytes { insert.set(4, $0) }
        try insert.run()
        return connection.lastInsertedRow
    }

    /// Removes one use, and deletes the body if there are no uses left.
    func release(_ id: Int64) throws(StoreError) {
        release.set(1, id)
        try release.run()
        delete.set(1, id)
        try delete.run()
    }

    /// Returns the gzip stream of a text; nil if it isn't shorter or the bytes aren't text.
    func compressed(_ bytes: Bytes, type: String?) -> Bytes? {
        guard bytes.count >= Self.leastCompressed, Self.isText(type, bytes) else { return nil }
        if deflater == nil { deflater = Deflater(level: 1) }
        guard let result = deflater?.encode(bytes, isLast: true) else { return nil }
        deflater?.reset()
        return result.count < bytes.count ? result : nil
    }

    private static func isText(_ type: String?, _ bytes: Bytes) -> Bool {
        guard let type else { return bytes.withUnsafeBytes { !$0.prefix(512).contains(0) } }
        return type.hasPrefix("text/")
            || ["json", "xml", "javascript", "x-www-form-urlencoded", "graphql", "yaml", "csv"].contains {
                type.contains($0)
            }
    }
}
