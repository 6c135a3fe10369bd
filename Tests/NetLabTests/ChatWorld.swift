#if Tools && Server
import NetCore
import NetSocket
import NetSocketServer
import NetTesting
import TestSupport

@testable import net_lab

/// The chat's servers and their clients in memory. The servers form one chat if their engines share a memory.
struct ChatWorld: Sendable {
    let servers: [SocketServer<ChatUser>]
    /// The servers that are available.
    private let alive: Locked<Set<Int>>
    /// The links of each server.
    private let links = Locked<[Int: [any WebSocketLink]]>([:])
    private let transports = Locked<[MockWebSocketTransport]>([])

    static func run(
        _ engines: [any FanOutEngine] = [MemoryFanOut()], _ body: @Sendable (ChatWorld) async throws -> Void
    ) async throws {
        let world = ChatWorld(engines)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for server in world.servers { group.addTask { try await server.serve() } }
            let result: Result<Void, any Error>
            do {
                for server in world.servers { try await server.ready() }
                result = .success(try await body(world))
            } catch {
                result = .failure(error)
            }
            for server in world.servers { server.stop() }
            for transport in world.transports.value { await transport.shutdown() }
            try await group.waitForAll()
            try result.get()
        }
    }

    /// Runs two servers with one memory.
    static func twoServers(_ body: @Sendable (ChatWorld) async throws -> Void) async throws {
        let memory = MemoryFanOut()
        try await run([memory, MemoryFanOut(sharing: memory)], body)
    }

    private init(_ engines: [any FanOutEngine]) {
        servers = engines.map { ChatServer(port: 0, isCompressing: false, fanOut: $0).server }
        alive = Locked(Set(engines.indices))
    }

    /// Ends the connections of a server, like a crash; new connections go to the others.
    func crash(_ number: Int) {
        alive.change { $0.remove(number) }
        for link in links.value[number] ?? [] { link.drop() }
    }

    // MARK: Clients

    var sockets: WebSocketClient { sockets(to: 0) }

    /// Returns a client that connects to a server, or to another one after that has crashed.
    func sockets(to number: Int) -> WebSocketClient {
        let transport = MockWebSocketTransport(subprotocols: ["swift-net.json.v1"]) { link, request in
            let chosen = alive.value.contains(number) ? number : alive.value.min() ?? number
            links.change { $0[chosen, default: []].append(link) }
            try await servers[chosen].serve(link, target: request.target, headers: request.headers)
        }
        transports.change { $0.append(transport) }
        return WebSocketClient(transport: transport)
    }

    func client(_ name: String, at number: Int = 0) -> SocketClient {
        let configuration = SocketClient.Configuration(wire: .numberedJSON, delivery: SocketDelivery())
        return SocketClient("ws://chat.test/socket", client: sockets(to: number), configuration: configuration) {
            $0.query = ["name": name]
        }
    }
}
#endif
