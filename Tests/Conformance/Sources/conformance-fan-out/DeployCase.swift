#if Redis
import Foundation

/// A server drains while another one starts: its clients continue, and none of them misses a message.
enum DeployCase {
    private static let clientsOfServer = 40
    private static let rooms = 4
    private static let messages = 40

    static func run(_ surroundings: Fleet.Surroundings) async throws -> String {
        try await Fleet.with(surroundings, broker: Broker.durable, servers: 2) { fleet in
            try await fleet.connect(clientsOfServer, rooms: rooms)
            let total = 2 * clientsOfServer * messages
            async let talking: Void = fleet.withClients { client in
                for number in 0..<messages {
                    try await client.say("\(client.name)-\(number)")
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            try await fleet.wait(confirmed: total / 4)
            let start = ContinuousClock.now
            async let third = fleet.addNode()
            let status = try await fleet.nodes[0].drain()
            let seconds = Checks.seconds(since: start)
            _ = try await third
            try expect(status == 0, "the server that drains ends with \(status)")
            try await talking
            try await fleet.checkOrder(total: total)
            try await fleet.checkPresence()
            let moved = fleet.clients.count { $0.reconnects > 0 }
            try expect(moved == clientsOfServer, "\(moved) clients have moved, instead of \(clientsOfServer)")
            return "\(fleet.figures), drained in \(seconds)"
        }
    }
}
#endif
