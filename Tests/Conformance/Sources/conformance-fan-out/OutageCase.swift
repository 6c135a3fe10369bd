#if Redis
import Foundation

/// A broker that is running but doesn't work properly: clients are notified, servers continue, and nothing has to be
/// restarted.
enum OutageCase {
    private static let growth = 64 << 20

    static func silence(_ surroundings: Fleet.Surroundings) async throws -> String {
        try await run(surroundings, refusals: ["unavailable"], for: .seconds(8)) { fleet in
            fleet.broker.pause()
        } after: { fleet in
            fleet.broker.resume()
        }
    }

    static func memory(_ surroundings: Fleet.Surroundings) async throws -> String {
        try await run(surroundings, refusals: ["internal_error", "unavailable"], for: .seconds(3)) { fleet in
            try await fleet.broker.command("CONFIG", "SET", "maxmemory", "1")
        } after: { fleet in
            try await fleet.broker.command("CONFIG", "SET", "maxmemory", "0")
        }
    }

    static func replica(_ surroundings: Fleet.Surroundings) async throws -> String {
        let primary = try BrokerLine.freePort()
        return try await run(surroundings, refusals: ["unavailable"], for: .seconds(4)) { fleet in
            try await fleet.broker.command("REPLICAOF", "127.0.0.1", "\(primary)")
        } after: { fleet in
            try await fleet.broker.command("REPLICAOF", "NO", "ONE")
        }
    }

    private static func run(
        _ surroundings: Fleet.Surroundings, refusals: Set<String>, for time: Duration,
        before: @Sendable (Fleet) async throws -> Void, after: @Sendable (Fleet) async throws -> Void
    ) async throws -> String {
        try await Fleet.with(surroundings, broker: Broker.forgetful, servers: 2, ["--outage", "1"]) { fleet in
            try await fleet.connect(10)
            try await fleet.withClients { try await $0.say("before \($0.name)") }
            let memory = fleet.nodes.map(\.residentBytes)
            let echoes = Echoes(fleet)
            async let longest = echoes.run()
            try await before(fleet)
            let counts = try await talk(fleet, for: time)
            let grown = zip(fleet.nodes, memory).map { $0.residentBytes - $1 }
            try await after(fleet)
            let start = ContinuousClock.now
            try await fleet.withClients { try await $0.say("after \($0.name)") }
            try await reach(fleet)
            let back = Checks.seconds(since: start)
            echoes.stop()
            let slowest = try await longest
            let said = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
            try expect(refusals.isSuperset(of: counts.keys.filter { $0 != "confirmed" }), "other refusals: \(said)")
            try expect(counts.keys.contains { $0 != "confirmed" }, "nothing was refused: \(said)")
            try expect(slowest < .seconds(1), "an echo took \(slowest)")
            try expect(grown.allSatisfy { $0 < growth }, "the servers have grown by \(grown)")
            return "\(said); slowest echo \(Int(slowest / .milliseconds(1))) ms, servers grown by "
                + "\(grown.map { "\($0 >> 20) MiB" }.joined(separator: " and ")), works again after \(back)"
        }
    }

    /// Sends messages from each client as fast as allowed, and gives up rejected ones. Returns the count of each
    /// outcome.
    private static func talk(_ fleet: Fleet, for time: Duration) async throws -> [String: Int] {
        let end = ContinuousClock.now + time
        let text = String(repeating: "x", count: 4096)
        return try await withThrowingTaskGroup(of: [String: Int].self) { group in
            for client in fleet.clients {
                for stream in 0..<10 {
                    group.addTask {
                        var counts: [String: Int] = [:]
                        var number = 0
                        while ContinuousClock.now < end {
                            number += 1
                            let outcome = try await client.sayOnce("\(client.name)-\(stream)-\(number)", text)
                            counts[outcome ?? "confirmed", default: 0] += 1
                            try await Task.sleep(for: .milliseconds(100))
                        }
                        return counts
                    }
                }
            }
            return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
    }

    /// Waits until each client has received each client's messages after the outage.
    private static func reach(_ fleet: Fleet) async throws {
        let wanted = Set(fleet.clients.map { "after \($0.name)" })
        for client in fleet.clients {
            try await wait("\(client.name) hasn't heard all that was said after the outage") {
                let texts = client.records.suffix(200).compactMap { record in
                    if case .push(_, let text) = record { text } else { nil }
                }
                return wanted.allSatisfy { key in texts.contains { $0.contains("\"\(key)\"") } }
            }
        }
    }
}
#endif
