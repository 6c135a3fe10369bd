import Foundation
import NetCore

@testable import NetStore

/// The captured contents of an entry, before it is stored.
struct SampleContent {
    struct Capture {
        var requestHeaders: String?
        var requestBody: [UInt8]?
        var responseHeaders: String?
        var responseBody: [UInt8]?
        var trailers: String?
    }

    struct Message {
        var isSent: Bool
        var isText: Bool
        var bytes: [UInt8]
    }

    /// One per attempt.
    var captures: [Capture] = []
    var messages: [Message] = []

    var content: FilterContent {
        FilterContent(
            headers: { [captures] side in
                let blocks = captures.flatMap { capture in
                    side == .request ? [capture.requestHeaders] : [capture.responseHeaders, capture.trailers]
                }
                return blocks.compactMap { $0 }.joined(separator: "\n")
            },
            bodies: { [captures, messages] side in
                let bodies = captures.compactMap { side == .request ? $0.requestBody : $0.responseBody }
                return (bodies + messages.filter { $0.isSent == (side == .request) }.map(\.bytes)).map { Bytes($0) }
            })
    }
}

/// Entries in the tables of a store, written by separate SQL.
final class FilterDatabase {
    let connection: SQLiteConnection
    private var bodies = 0

    /// Creates the tables in a new file.
    init(path: String) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        connection = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: .seconds(1))
        try connection.execute(StoreTables.all)
        try connection.addFilterFunctions()
    }

    /// Returns the IDs of the entries that match the filter in SQL.
    func ids(_ filter: ActivityFilter, now: Date) throws -> [Int64] {
        let condition = FilterCondition(filter, now: now)
        return try integers("SELECT i.id FROM net_item AS i WHERE \(condition.sql) ORDER BY i.id", condition.values)
    }

    func integers(_ sql: String, _ values: [SQLiteValue] = []) throws -> [Int64] {
        var result: [Int64] = []
        try connection.query(sql, values) { row throws(StoreError) in result.append(row.integer(0) ?? 0) }
        return result
    }

    /// Returns SQLite's query plan.
    func plan(_ sql: String, _ values: [SQLiteValue]) throws -> String {
        var result: [String] = []
        try connection.query("EXPLAIN QUERY PLAN " + sql, values) { row throws(StoreError) in
            result.append(row.text(3) ?? "")
        }
        return result.joined(separator: "\n")
    }

    func add(_ item: StoredItem, _ content: SampleContent = SampleContent()) throws {
        try insert("net_item", columns(of: item), uid: item.uid)
        for (number, capture) in content.captures.enumerated() {
            try insert(
                "net_capture",
                [
                    ("number", .integer(Int64(number + 1))),
                    ("request_fields", .optional(capture.requestHeaders)),
                    ("request_body", try body(capture.requestBody)),
                    ("response_fields", .optional(capture.responseHeaders)),
                    ("response_body", try body(capture.responseBody)), ("trailers", .optional(capture.trailers)),
                ], uid: item.uid, as: "call")
        }
        try add(content.messages, to: item.uid)
        guard item.isPinned || item.comment != nil else { return }
        try insert(
            "net_note",
            [
                ("item", .integer(item.id)), ("is_pinned", .integer(item.isPinned ? 1 : 0)),
                ("comment", .optional(item.comment)), ("changed_at", .integer(0)),
            ])
    }

    private func add(_ messages: [SampleContent.Message], to socket: CallID) throws {
        for (number, message) in messages.enumerated() {
            let text = message.isText ? "CAST(\(Self.hex(message.bytes)) AS TEXT)" : "NULL"
            try connection.execute(
                """
                INSERT INTO net_message (socket, number, at, is_sent, kind, size, text, data)
                VALUES (\(Self.hex(socket)), \(number + 1), 0, \(message.isSent ? 1 : 0), 1, 0, \(text),
                \(message.isText ? "NULL" : Self.hex(message.bytes)))
                """)
        }
    }

    private func columns(of item: StoredItem) throws -> [(String, SQLiteValue)] {
        func name(_ text: String?) throws -> SQLiteValue { try text.map { .integer(try id(of: $0)) } ?? .null }
        var columns: [(String, SQLiteValue)] = [
            ("kind", .integer(Int64(item.kind.rawValue))), ("run", .integer(item.run)),
            ("started_at", .integer(StoredTime.microseconds(of: item.startedAt))),
            ("duration_us", .optional(item.duration.map(StoredTime.microseconds(of:)))),
            ("outcome", .optional(item.outcome?.rawValue)), ("status", .optional(item.status)),
            ("url", .optional(item.url)), ("message", .optional(item.failure?.message ?? item.message)),
            ("attempts", .optional(item.attempts)), ("retries", .optional(item.retries)),
            ("request_bytes", .optional(item.requestBytes)), ("response_bytes", .optional(item.responseBytes)),
            ("is_reused", .optional(item.isReused.map { $0 ? 1 : 0 })),
        ]
        if item.id > 0 { columns.append(("id", .integer(item.id))) }
        columns += [
            ("method", try name(item.method)), ("operation", try name(item.operation)), ("name", try name(item.name)),
            ("tags", try name(item.tags.isEmpty ? nil : StoredTags.text(item.tags))), ("host", try name(item.host)),
            ("error", try name(item.failure?.code)), ("phase", try name(item.failure?.phase)),
            ("cache", try name(item.cache)), ("request_type", try name(item.requestType)),
            ("response_type", try name(item.responseType)),
        ]
        return columns
    }

    private func insert(_ table: String, _ columns: [(String, SQLiteValue)], uid: CallID? = nil, as key: String = "uid")
        throws
    {
        let names = columns.map(\.0) + (uid == nil ? [] : [key])
        let marks = columns.map { _ in "?" } + (uid.map { [Self.hex($0)] } ?? [])
        try connection.run(
            "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks.joined(separator: ", ")))",
            columns.map(\.1))
    }

    private func id(of text: String) throws -> Int64 {
        try connection.run("INSERT OR IGNORE INTO net_name (text) VALUES (?)", [.text(text)])
        return try connection.integer("SELECT id FROM net_name WHERE text = ?", [.text(text)]) ?? 0
    }

    /// Compresses every second body.
    private func body(_ bytes: [UInt8]?) throws -> SQLiteValue {
        guard let bytes else { return .null }
        bodies += 1
        let isCompressed = bodies.isMultiple(of: 2)
        let data = isCompressed ? Self.gzip(bytes) : bytes
        try connection.execute(
            """
            INSERT INTO net_body (id, hash, uses, size, is_compressed, data) VALUES (\(bodies),
            x'\(String(format: "%08x", bodies))', 1, \(bytes.count), \(isCompressed ? 1 : 0), \(Self.hex(data)))
            """)
        return .integer(Int64(bodies))
    }

    private static func hex(_ id: CallID) -> String { "x'\(id.description.replacing("-", with: ""))'" }

    private static func hex(_ bytes: [UInt8]) -> String {
        "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    }

    /// Returns the gzip format (RFC 1952) with one stored block, of at most 65,535 bytes.
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]
        let count = UInt16(bytes.count)
        return header + [1] + little(count) + little(~count) + bytes + little(checksum(bytes)) + little(UInt32(count))
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xedb8_8320 : 0) }
        }
    }

    private static func little(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
