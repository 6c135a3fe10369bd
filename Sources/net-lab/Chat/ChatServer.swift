#if Tools && Server
internal import NetCore
internal import NetSocketServer

/// The chat's server: the page at `/`, the WebSocket at `/socket`. Servers whose engines share a broker, or a memory, are one
/// chat.
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
        // A page that is reloaded is gone at once; one that has lost its network is missed soon.
        configuration.sessionRetention = .seconds(30)
        configuration.respond = { request in page.response(to: request.method, request.path) }
        server = SocketServer(identifying: service.router, configuration: configuration) { handshake in
            // Browsers can't set header fields of a handshake.
            ChatUser(name: handshake.query["name"]).map { SocketIdentity($0, user: $0.name) }
        }
    }

    /// Serves until the task is cancelled; `ready` is told the port.
    func run(ready: @escaping @Sendable (Int) -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            // Without an address, it has ended by an error.
            if let port = try? await server.address.port { ready(port) }
            try await group.waitForAll()
        }
    }
}
#endif
