#if Redis
import Foundation

/// Messages are lost while clients talk: each client that misses one is notified at that position.
enum HoleCase {
    private static let clientsOfServer = 20
    private static let rooms = 4
    private static let messages = 40

    /// A broker without persistence is killed and restarted.
    static func forgetting(_ surroundings: Fleet.Surroundings) async throws -> String {
        try await run(surroundings, broker: Broker.forgetful) { fleet in
            await fleet.broker.kill()
            try await Task.sleep(for: .milliseconds(300))
            try await fleet.broker.start()
        }
    }

    /// The same, and a server is killed as well; its clients use another one before the broker is back.
    static func forgettingWithServer(_ surroundings: Fleet.Surroundings) async throws -> String {
        try await run(surroundings, broker: Broker.forgetful) { fleet in
            await fleet.broker.kill()
            await fleet.nodes[0].kill()
            try await Task.sleep(for: .milliseconds(500))
            try await fleet.broker.start()
            try await fleet.nodes[0].start()
        }
    }

    /// Clients are disconnected for longer than the history reaches back.
    static func shortHistory(_ surroundings: Fleet.Surroundings) async throws -> String {
        try await run(surroundings, broker: Broker.durable, "--history", "20") { fleet in
            fleet.stick(true)
            await fleet.nodes[0].kill()
            let confirmed = fleet.confirmed
            try await fleet.wait(confirmed: confirmed + 200)
            fleet.stick(false)
        }
    }

    private static func run(
        _ surroundings: Fleet.Surroundings, broker: [String], _ options: String...,
        disturb: @Sendable (Fleet) async throws -> Void
    ) async throws -> String {
        try await Fleet.with(surroundings, broker: broker, servers: 2, options) { fleet in
            try await fleet.connect(clientsOfServer, rooms: rooms)
            async let talking: Void = fleet.withClients { client in
                for number in 0..<messages { try await client.say("\(client.name)-\(number)") }
            }
            try await fleet.wait(confirmed: 2 * clientsOfServer * messages / 3)
            try await disturb(fleet)
            try await talking
            let last = try await end(fleet)
            var told = 0
            for (room, key) in last {
                told += try RoomCheck(room, fleet.clients.filter { $0.room == room }).hasNoSilentHole(until: key)
            }
            try expect(told > 0, "nothing was lost")
            try await fleet.checkPresence()
            return "\(fleet.figures), \(told) clients told"
        }
    }

    /// Sends a last message in each room, and waits until all clients have it.
    private static func end(_ fleet: Fleet) async throws -> [String: String] {
        var last: [String: String] = [:]
        for client in fleet.clients where last[client.room] == nil {
            last[client.room] = "end of \(client.room)"
            try await client.say("end of \(client.room)")
        }
        let clients = fleet.clients
        try await wait("the last messages aren't everywhere") {
            clients.allSatisfy { client in
                if case .push(_, let text)? = client.records.last { text.contains("end of ") } else { false }
            }
        }
        return last
    }
}
#endif
