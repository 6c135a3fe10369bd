#if Tools && Server
import NetCore
import NetSocket
import NetSocketServer
import NetTesting
import TestSupport

@testable import net_lab

/// The chat's server and its clients in memory.
struct ChatWorld: Sendable {
    let server: SocketServer<ChatUser>
    let transport: MockWebSocketTransport

    static func run(_ body: @Sendable (ChatWorld) async throws -> Void) async throws {
        let server = ChatServer(port: 0, isCompressing: false).server
        let transport = MockWebSocketTransport(subprotocols: ["swift-net.json.v1"]) { link, request in
            try await server.serve(link, target: request.target, headers: request.headers)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.serve() }
            let result: Result<Void, any Error>
            do {
                try await server.ready()
                result = .success(try await body(ChatWorld(server: server, transport: transport)))
            } catch {
                result = .failure(error)
            }
            server.stop()
            await transport.shutdown()
            try await group.waitForAll()
            try result.get()
        }
    }

    var sockets: WebSocketClient { WebSocketClient(transport: transport) }

    func client(_ name: String) -> SocketClient {
        let configuration = SocketClient.Configuration(wire: .numberedJSON, delivery: SocketDelivery())
        return SocketClient("ws://chat.test/socket", client: sockets, configuration: configuration) {
            $0.query = ["name": name]
        }
    }
}
#endif
