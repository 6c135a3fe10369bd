import Foundation
import GRDB
import NetStore

/// `bench-store-grdb FILE CALLS` creates the store's tables, writes calls into them as records over a connection of
/// GRDB, and prints the CPU microseconds per call as a line of JSON.
@main
enum Program {
    /// The number of calls per transaction, the same as that of the store's writer.
    private static let batch = 667

    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 3, let count = Int(words[2]) else {
            print("bench-store-grdb FILE CALLS")
            exit(2)
        }
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(
                sql: "PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 8388608")
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        let path = words[1]
        // According to docs/store.md.
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.inDatabase { database in
            if let connection = database.sqliteConnection { try ActivityStore.migrate(connection) }
        }
        let store = try ActivityStore(path: path)
        // The store has switched the database to a write-ahead log, and begun a run.
        try await store.close()
        print(#"{"writer": \#(try write(count, into: queue) / Double(count))}"#)
    }

    /// Returns the CPU microseconds that writing the calls took.
    private static func write(_ count: Int, into queue: DatabaseQueue) throws -> Double {
        var calls = Calls(count: count)
        var spent = 0.0
        for first in stride(from: 0, to: count, by: batch) {
            let parts = (first..<min(first + batch, count)).map { calls.call($0) }
            spent += try queue.writeWithoutTransaction { database in
                // The CPU time of the writing thread.
                let begin = now()
                try database.inTransaction(.immediate) {
                    try write(parts, &calls, database)
                    return .commit
                }
                return now() - begin
            }
        }
        return spent
    }

    private static func write(_ parts: [Calls.Call], _ calls: inout Calls, _ database: Database) throws {
        var hours: [HourTotal.Key: HourTotal] = [:]
        for part in parts {
            var item = try calls.row(part, database)
            try item.insert(database)
            try SearchRecord(rowid: item.id ?? 0, url: item.url, message: item.message).insert(database)
            let key = HourTotal.Key(
                hour: item.startedAt / 3_600_000_000, operation: item.operation, host: item.host,
                bucket: Int64(log(Double(item.durationUs)) / log(1.1)))
            hours[key, default: HourTotal(key)].add(item)
        }
        let statement = try database.cachedStatement(sql: HourTotal.upsert)
        for hour in hours.values { try statement.execute(arguments: hour.arguments) }
        try database.execute(sql: "UPDATE net_total SET items = items + ?", arguments: [parts.count])
        try database.execute(sql: "UPDATE net_run SET written = written + ?", arguments: [parts.count * 3])
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
}
