#if Tools && Server
internal import NetCore
internal import NetSocketServer

/// The server of the chat: the page at `/`, the WebSocket at `/socket`. Servers whose engines share a broker or a
/// memory form one chat.
struct ChatServer: Sendable {
    let server: SocketServer<ChatUser>

    init(
        host: String = "127.0.0.1", port: Int, isCompressing: Bool, page: ChatPage = ChatPage(),
        service: ChatService = ChatService(), fanOut: (any FanOutEngine)? = nil
    ) {
        var configuration = SocketServerConfiguration()
        configuration.host = host
        configuration.port = port
        configuration.fanOut = fanOut
        configuration.outageEvent = OutageNotice.event
        configuration.wires = ["/socket": .numberedJSON]
        configuration.compression = isCompressing ? WebSocketCompression() : nil
        // A reloaded page leaves immediately; one that has lost its network leaves after this time.
        configuration.sessionRetention = .seconds(30)
        configuration.respond = { request in page.response(to: request.method, request.path) }
        server = SocketServer(identifying: service.router, configuration: configuration) { handshake in
            // Browsers can't set headers of a handshake.
            ChatUser(name: handshake.query["name"]).map { SocketIdentity($0, user: $0.name) }
        }
    }

    /// Serves until the task is cancelled; calls `ready` with the port.
    func run(ready: @escaping @Sendable (Int) -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            // Without an address, the server has ended with an error.
            if let port = try? await server.address.port { ready(port) }
            try await group.waitForAll()
        }
    }
}
#endif
