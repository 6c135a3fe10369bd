import Foundation
import GRDB

/// The row of a call.
struct ItemRecord: Codable, MutablePersistableRecord {
    static let databaseTableName = "net_item"

    var id: Int64?
    var uid: Data
    var kind = 1
    var run = 1
    var startedAt: Int64
    var durationUs: Int64
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
    var cache, cacheReason: Int64?
    var requestBytes: Int64 = 0
    var responseBytes: Int64 = 2000
    var requestType, responseType: Int64?
    var attemptStartUs: Int64?
    var attemptUs: Int64
    var queuedUs: Int64 = 20
    var lookupUs, connectUs, secureUs: Int64?
    var waitingUs: Int64
    var downloadUs: Int64 = 500
    var version: Int64
    var isReused = true
    var remote: Int64
    var trace, owner: Data?
    var level: Int?
    var detail: String?

    /// The columns.
    enum CodingKeys: String, CodingKey {
        case id, uid, kind, run, outcome, status, method, operation, name, tags, host, url, error, phase, message,
            attempts, retries, cache, version, remote, trace, owner, level, detail
        case startedAt = "started_at"
        case durationUs = "duration_us"
        case cacheReason = "cache_reason"
        case requestBytes = "request_bytes"
        case responseBytes = "response_bytes"
        case requestType = "request_type"
        case responseType = "response_type"
        case attemptUs = "attempt_us"
        case queuedUs = "queued_us"
        case lookupUs = "lookup_us"
        case connectUs = "connect_us"
        case secureUs = "secure_us"
        case waitingUs = "waiting_us"
        case downloadUs = "download_us"
        case isReused = "is_reused"
        case attemptStartUs = "attempt_start_us"
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The words of a call, for full-text search.
struct SearchRecord: Codable, PersistableRecord {
    static let databaseTableName = "net_search"

    var rowid: Int64
    var url: String
    var message: String?
}

/// A text shared by many rows.
struct NameRecord: Codable, MutablePersistableRecord {
    static let databaseTableName = "net_name"

    var id: Int64?
    var text: String

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The totals that calls add to a row of the roll-ups. A record can't be added to an existing row, so this is a
/// statement.
struct HourTotal {
    struct Key: Hashable {
        let hour, operation, host, bucket: Int64
    }

    let key: Key
    private var sums = [Int64](repeating: 0, count: 10)

    init(_ key: Key) { self.key = key }

    mutating func add(_ item: ItemRecord) {
        for index in [0, item.outcome, 6, 7] { sums[index] += 1 }
        sums[9] += item.responseBytes
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
