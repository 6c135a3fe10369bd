#if Redis
import Foundation

/// A broker that keeps nothing is killed while clients talk: who misses something is told.
enum ForgettingCase {
    private static let clientsOfServer = 20
    private static let rooms = 4
    private static let messages = 40

    static func run(_ surroundings: Fleet.Surroundings) async throws -> String {
        try await Fleet.with(surroundings, broker: Broker.forgetful, servers: 2) { fleet in
            try await fleet.connect(clientsOfServer, rooms: rooms)
            let total = 2 * clientsOfServer * messages
            async let talking: Void = fleet.withClients { client in
                for number in 0..<messages { try await client.say("\(client.name)-\(number)") }
            }
            try await fleet.wait(confirmed: total / 2)
            await fleet.broker.kill()
            try await Task.sleep(for: .milliseconds(300))
            try await fleet.broker.start()
            try await talking
            let last = try await end(fleet)
            var told = 0
            for (room, key) in last {
                told += try RoomCheck(room, fleet.clients.filter { $0.room == room }).hasNoSilentHole(until: key)
            }
            try await fleet.checkPresence()
            return "\(fleet.figures), \(told) clients told"
        }
    }

    /// Says a last message in each room, and waits until all have it.
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
