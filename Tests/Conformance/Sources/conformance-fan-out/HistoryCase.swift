#if Redis
import Foundation

/// A history stays within its size limit, and expires.
enum HistoryCase {
    static func run(_ surroundings: Fleet.Surroundings) async throws -> String {
        try await Fleet.with(
            surroundings, broker: Broker.forgetful, servers: 2, ["--history", "50", "--history-seconds", "3"]
        ) { fleet in
            try await fleet.connect(5)
            let late = fleet.client("late", home: 0)
            try await late.join()
            try await late.say("first")
            try await wait("the first message isn't there") { late.pushCount == 1 }
            late.session.pause()
            var longest = 0
            for round in 0..<10 {
                try await fleet.withClients { client in
                    guard client.name != "late" else { return }
                    for number in 0..<5 { try await client.say("\(client.name)-\(round)-\(number)") }
                }
                longest = max(longest, try await length(fleet))
            }
            let kept = try await length(fleet)
            try expect(longest <= 50 && kept == 50, "the history has \(longest), and \(kept) at the end")
            // Only its own server knows its session and has kept everything for it.
            late.move(to: 1)
            late.session.resume()
            try await wait("the late client is told nothing: \(late.records.count)") { !late.told.isEmpty }
            try await fleet.clients[0].say("last")
            try await wait("the late client has no last message") {
                if case .push(_, let text)? = late.records.last { text.contains("last") } else { false }
            }
            let missed = late.pushCount - 2
            try expect(missed <= 50, "the late client was sent \(missed)")
            try await wait("the history stays") {
                try await fleet.broker.command("EXISTS", "swift-net:room:0:s") == ["0"]
            }
            let lasting = try await lastingKeys(fleet)
            try expect(lasting.isEmpty, "these stay for ever: \(lasting)")
            return "\(fleet.confirmed) messages, \(kept) kept, \(missed) for a late client, who was told \(late.told)"
        }
    }

    private static func length(_ fleet: Fleet) async throws -> Int {
        Int(try await fleet.broker.command("XLEN", "swift-net:room:0:s").first ?? "") ?? -1
    }

    /// Returns the keys of messages without an expiration.
    private static func lastingKeys(_ fleet: Fleet) async throws -> [String] {
        var lasting: [String] = []
        for end in ["m", "s", "i", "u"] {
            for key in try await fleet.broker.command("KEYS", "swift-net:*:\(end)")
            where try await fleet.broker.command("PTTL", key) == ["-1"] { lasting.append(key) }
        }
        return lasting
    }
}
#endif
