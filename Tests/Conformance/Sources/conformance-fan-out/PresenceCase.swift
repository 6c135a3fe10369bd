#if Redis
import Foundation

/// All servers show the members of all, without those of a server that has crashed until they are back.
enum PresenceCase {
    static func run(_ surroundings: Fleet.Surroundings) async throws -> String {
        try await Fleet.with(surroundings, broker: Broker.forgetful, servers: 2, ["--lease", "2"]) { fleet in
            try await fleet.connect(10)
            let everybody = fleet.clients.map(\.name).sorted()
            let others = fleet.clients.filter { $0.home == 1 }
            try await shown(everybody, to: fleet.clients)
            fleet.stick(true)
            let start = ContinuousClock.now
            await fleet.nodes[0].kill()
            try await shown(others.map(\.name).sorted(), to: others)
            let gone = Checks.seconds(since: start)
            fleet.stick(false)
            try await shown(everybody, to: fleet.clients)
            return "\(everybody.count) members, gone after \(gone), back after \(Checks.seconds(since: start))"
        }
    }

    /// The members of a server that is suspended for longer than its lease disappear from the others. After it resumes,
    /// it has missed nothing.
    static func standstill(_ surroundings: Fleet.Surroundings) async throws -> String {
        try await Fleet.with(surroundings, broker: Broker.forgetful, servers: 2, ["--lease", "2"]) { fleet in
            try await fleet.connect(10)
            let everybody = fleet.clients.map(\.name).sorted()
            let others = fleet.clients.filter { $0.home == 1 }
            try await fleet.withClients { try await $0.say("\($0.name)-before") }
            fleet.nodes[0].pause()
            for number in 0..<20 {
                for client in others { try await client.say("\(client.name)-\(number)") }
            }
            try await shown(others.map(\.name).sorted(), to: others)
            fleet.nodes[0].resume()
            try await shown(everybody, to: fleet.clients)
            try await fleet.withClients { try await $0.say("\($0.name)-after") }
            try await fleet.checkOrder(total: 20 * others.count + 2 * everybody.count)
            return fleet.figures
        }
    }

    /// Waits until clients and their servers report exactly these members.
    private static func shown(_ names: [String], to clients: [FleetClient]) async throws {
        for client in clients {
            try await wait("\(client.name) sees \(client.present)", for: .seconds(8)) { client.present == names }
            try await client.isTold(names)
        }
    }
}

extension FleetClient {
    /// Waits until its server reports exactly these members in its room. One that has moved is listed twice while its
    /// old server keeps its session.
    func isTold(_ names: [String]) async throws {
        var found: [String] = []
        try await wait("the server of \(name) says \(found) instead of \(names)", for: .seconds(8)) {
            found = Set(try await session.channel(room).send(Present()).names).sorted()
            return found == names
        }
    }
}

extension Fleet {
    /// Waits until all servers report that all clients are in their rooms.
    func checkPresence() async throws {
        let names = Dictionary(grouping: clients, by: \.room).mapValues { $0.map(\.name).sorted() }
        try await withClients { client in try await client.isTold(names[client.room] ?? []) }
    }
}
#endif
