#if Redis
import Foundation
import NetSocket
import Synchronization

/// A broker, the servers on it, and their clients.
final class Fleet: Sendable {
    /// The environment of all cases.
    struct Surroundings: Sendable {
        let kind: Broker.Kind
        let log: String
    }

    let broker: Broker
    private let options: [String]
    private let surroundings: Surroundings
    private let sockets = WebSocketClient()
    private let nodeList = Mutex<[FleetNode]>([])
    private let clientList = Mutex<[FleetClient]>([])
    /// True if clients wait for their own server instead of using another.
    private let sticks = Mutex(false)

    private init(_ surroundings: Surroundings, _ broker: Broker, _ options: [String]) {
        self.surroundings = surroundings
        self.broker = broker
        self.options = options
    }

    /// Starts a broker and servers, and ends them after `body`.
    static func with<Value: Sendable>(
        _ surroundings: Surroundings, broker brokerOptions: [String], servers: Int, _ options: [String] = [],
        body: (Fleet) async throws -> Value
    ) async throws -> Value {
        let broker = try Broker(surroundings.kind, brokerOptions)
        let fleet = Fleet(surroundings, broker, options)
        let result: Result<Value, any Error>
        do {
            try await broker.start()
            for _ in 0..<servers { try await fleet.addNode() }
            result = .success(try await body(fleet))
        } catch { result = .failure(error) }
        await fleet.end()
        return try result.get()
    }

    private func end() async {
        for client in clients { client.close() }
        for node in nodes { await node.kill() }
        await broker.kill()
    }

    // MARK: Servers

    var nodes: [FleetNode] { nodeList.withLock { $0 } }

    @discardableResult
    func addNode() async throws -> FleetNode {
        let node = FleetNode(["--redis", broker.url] + options, log: surroundings.log)
        try await node.start()
        nodeList.withLock { $0.append(node) }
        return node
    }

    func stick(_ isSticky: Bool) { sticks.withLock { $0 = isSticky } }

    /// Returns the URL for a client's next connection: its own server, or if that is down, another one.
    func url(home: Int, name: String) -> String {
        let nodes = nodes
        let own = nodes[home]
        let node = own.isRunning || sticks.withLock { $0 } ? own : nodes.filter(\.isRunning).randomElement() ?? own
        return "ws://127.0.0.1:\(node.port)/socket?name=\(name)"
    }

    // MARK: Clients

    var clients: [FleetClient] { clientList.withLock { $0 } }

    /// Connects clients, `count` to each running server, spread over rooms, and returns once all have joined.
    func connect(_ count: Int, rooms: Int = 1) async throws {
        for number in 0..<count * nodes.count {
            let (home, room) = (number % nodes.count, number / nodes.count % rooms)
            _ = client("c\(number)", home: home, room: "room:\(room)")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in clients { group.addTask { try await client.join() } }
            try await group.waitForAll()
        }
    }

    /// Adds a client that hasn't joined yet.
    func client(_ name: String, home: Int, room: String = "room:0") -> FleetClient {
        let client = observer(name, home: home, room: room)
        clientList.withLock { $0.append(client) }
        return client
    }

    /// Returns a client that isn't one of ``clients``; it lives as long as it is retained.
    func observer(_ name: String, home: Int, room: String = "") -> FleetClient {
        FleetClient(name, home: home, room: room, sockets) { [weak self] node in
            self?.url(home: node, name: name) ?? ""
        }
    }

    /// Runs `body` for all clients concurrently.
    func withClients(_ body: @escaping @Sendable (FleetClient) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in clients { group.addTask { try await body(client) } }
            try await group.waitForAll()
        }
    }

    var confirmed: Int { clients.reduce(0) { $0 + $1.replies.count } }

    /// The figures of a case.
    var figures: String {
        let all = clients
        let deliveries = all.reduce(0) { $0 + $1.pushCount }
        let refusals = all.reduce(into: [String: Int]()) { $0.merge($1.refusals, uniquingKeysWith: +) }
        let said = refusals.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        return "\(all.count) clients, \(confirmed) messages, \(deliveries) deliveries, "
            + "\(all.reduce(0) { $0 + $1.reconnects }) reconnects, sent again: \(said.isEmpty ? "none" : said)"
    }
}
#endif
