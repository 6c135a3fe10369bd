import Foundation
import GRDB

/// The row of a call.
struct ItemRecord: Codable, MutablePersistableRecord {
    static let databaseTableName = "net_item"

    var id: Int64?
    var uid: Data
    var kind = 1
    var run = 1
    var started_at: Int64
    var duration_us: Int64
    var outcome: Int
    var status: Int?
    var method, operation: Int64
    var name, tags: Int64?
    var host: Int64
    var url: String
    var error, phase: Int64?
    var message: String?
    var attempts = 1
    var retries: Int?
    var cache, cache_reason: Int64?
    var request_bytes: Int64 = 0
    var response_bytes: Int64 = 2000
    var request_type, response_type: Int64?
    var attempt_start_us: Int64?
    var attempt_us: Int64
    var queued_us: Int64 = 20
    var lookup_us, connect_us, secure_us: Int64?
    var waiting_us: Int64
    var download_us: Int64 = 500
    var version: Int64
    var is_reused = true
    var remote: Int64
    var trace, owner: Data?
    var level: Int?
    var detail: String?

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The words of a call.
struct SearchRecord: Codable, PersistableRecord {
    static let databaseTableName = "net_search"

    var rowid: Int64
    var url: String
    var message: String?
}

/// A text that many rows share.
struct NameRecord: Codable, MutablePersistableRecord {
    static let databaseTableName = "net_name"

    var id: Int64?
    var text: String

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// What calls add to a row of the roll-ups. A record can't be added to a row, so this is a statement.
struct HourTotal {
    struct Key: Hashable {
        let hour, operation, host, bucket: Int64
    }

    let key: Key
    private var sums = [Int64](repeating: 0, count: 10)

    init(_ key: Key) { self.key = key }

    mutating func add(_ item: ItemRecord) {
        for index in [0, item.outcome, 6, 7] { sums[index] += 1 }
        sums[9] += item.response_bytes
    }

    var arguments: StatementArguments {
        StatementArguments([key.hour, key.operation, key.host, 1, key.bucket] + sums)
    }

    static let upsert: String = {
        let names = [
            "calls", "completed", "rejected", "failed", "cancelled", "retried", "reused", "attempts", "request_bytes",
            "response_bytes",
        ]
        let additions = names.map { "\($0) = \($0) + excluded.\($0)" }.joined(separator: ", ")
        return """
            INSERT INTO net_hour VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (hour, operation, host, run, bucket) DO UPDATE SET \(additions)
            """
    }()
}
