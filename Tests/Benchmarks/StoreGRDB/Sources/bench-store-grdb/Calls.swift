import Foundation
import GRDB

/// The calls of `CallSeries`, as rows.
struct Calls {
    let count: Int
    let start: Double
    let step: Double
    private var names: [String: Int64] = [:]

    init(count: Int) {
        self.count = count
        step = 86_400 / Double(count)
        start = Date().timeIntervalSince1970 - 86_400
    }

    /// The parts of a call that need no row in another table.
    struct Call {
        let uid: Data
        let started, took: Int64
        let outcome: Int
        let method, operation, host, url, remote: String
    }

    func call(_ number: Int) -> Call {
        let mix = Self.mix(number)
        let date = start + Double(number) * step
        var uid = Data()
        for word in [UInt64(date * 1000) << 16 | 0x7000, mix] {
            withUnsafeBytes(of: word.bigEndian) { uid.append(contentsOf: $0) }
        }
        let host = mix % 40 % 5
        let ending = mix >> 32 % 100
        return Call(
            uid: uid, started: Int64(date * 1e6),
            took: Int64(2000 + mix >> 28 % 98_000) * (mix >> 24 % 50 == 0 ? 10 : 1),
            outcome: ending < 3 ? 2 : ending < 5 ? 3 : 1, method: mix >> 20 % 20 < 16 ? "GET" : "POST",
            operation: "operation\(mix % 40)", host: "api\(host).example.com",
            url:
                "https://api\(host).example.com/v1/customers/\(10_000 + mix >> 8 % 90_000)/orders/\(1_000_000 + number)"
                + "?page=\(mix >> 40 % 10)&sort=created&expand=items,totals", remote: "10.0.0.\(host):443")
    }

    /// Returns the row of a call, with the IDs of its names.
    mutating func row(_ call: Call, _ database: Database) throws -> ItemRecord {
        let isFailed = call.outcome == 3
        return ItemRecord(
            uid: call.uid, startedAt: call.started, durationUs: call.took, outcome: call.outcome,
            status: isFailed ? nil : call.outcome == 1 ? 200 : 503, method: try name(call.method, database),
            operation: try name(call.operation, database), host: try name(call.host, database), url: call.url,
            error: isFailed ? try name("connectionLost", database) : nil,
            phase: isFailed ? try name("receiving", database) : nil,
            message: isFailed ? "the connection was closed before the response" : nil, attemptUs: call.took,
            waitingUs: call.took - 700, version: try name("2", database), remote: try name(call.remote, database))
    }

    private mutating func name(_ text: String, _ database: Database) throws -> Int64 {
        if let id = names[text] { return id }
        var record = NameRecord(text: text)
        try record.insert(database)
        names[text] = record.id
        return record.id ?? 0
    }

    private static func mix(_ number: Int) -> UInt64 {
        var value = UInt64(truncatingIfNeeded: number) &+ 0x9e37_79b9_7f4a_7c15
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
