#if Redis
import Foundation

/// Clients send messages while a server, and then a durable broker, is killed and restarted.
enum CrashCase {
    private static let clientsOfServer = 100
    private static let rooms = 10
    private static let messages = 20

    static func run(_ surroundings: Fleet.Surroundings) async throws -> String {
        try await Fleet.with(surroundings, broker: Broker.durable, servers: 2, ["--outage", "1", "--lease", "3"]) {
            fleet in
            try await fleet.connect(clientsOfServer, rooms: rooms)
            let total = 2 * clientsOfServer * messages
            async let talking: Void = talk(fleet)
            try await fleet.wait(confirmed: total / 5)
            await fleet.nodes[0].kill()
            try await fleet.wait(confirmed: total * 2 / 5)
            try await fleet.nodes[0].start()
            // Half of its clients return to it.
            for client in fleet.clients where client.home == 0 && client.name.hasSuffix("2") {
                client.session.reconnect()
            }
            try await fleet.wait(confirmed: total * 3 / 5)
            await fleet.broker.kill()
            try await Task.sleep(for: .milliseconds(1500))
            try await fleet.broker.start()
            try await talking
            try await fleet.checkOrder(total: total)
            try await fleet.checkPresence()
            return fleet.figures
        }
    }

    private static func talk(_ fleet: Fleet) async throws {
        try await fleet.withClients { client in
            for number in 0..<messages { try await client.say("\(client.name)-\(number)", "message \(number)") }
        }
    }
}

extension Fleet {
    /// Waits until the given number of messages is confirmed.
    func wait(confirmed count: Int) async throws {
        try await conformance_fan_out.wait("\(confirmed) of \(count) confirmed; \(figures)", for: .seconds(40)) {
            confirmed >= count
        }
    }

    /// Waits until all clients have received everything, and throws unless each has it once and all in the same order.
    func checkOrder(total: Int) async throws {
        var expected: [String: Set<String>] = [:]
        for client in clients { expected[client.room, default: []].formUnion(client.replies.keys) }
        try expect(expected.values.reduce(0) { $0 + $1.count } == total, "\(expected.count) messages of \(total)")
        let (all, wanted) = (clients, expected)
        func missing() -> [String] {
            all.filter { $0.pushCount < wanted[$0.room]?.count ?? 0 }
                .map { "\($0.name): \($0.pushCount) of \(wanted[$0.room]?.count ?? 0) \($0.told)" }
        }
        // Messages that are still missing then are reported below.
        try? await conformance_fan_out.wait("", for: .seconds(15)) { missing().isEmpty }
        let lacking = missing()
        try expect(lacking.isEmpty, "\(lacking.count) clients miss messages: \(lacking.prefix(5))")
        for (room, keys) in expected {
            try RoomCheck(room, clients.filter { $0.room == room }).hasOneOrder(of: keys)
        }
    }
}
#endif
