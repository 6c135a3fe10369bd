import Hummingbird
import Logging
import NetSocketServer

/// A command, a push and a channel.
enum Chat {
    struct Say: SocketCommand {
        static let event = "chat.say"
        var text: String
        struct Response: Codable, Sendable { var length: Int }
    }

    struct Message: SocketPush, Equatable {
        static let event = "chat.message"
        var from: String
        var text: String
    }

    /// A server for clients whose token is their name.
    static func server() -> SocketServer<String> {
        var router = SocketRouter<String>()
        router.channel("room:*")
        router.on(Say.self) { command, context in
            let channel = context.server.channel(context.topic ?? "")
            try await channel.push(Message(from: context.principal, text: command.text), except: context.connection)
            return Say.Response(length: command.text.count)
        }
        var configuration = SocketServerConfiguration()
        configuration.wires = ["/socket": .numberedJSON]
        configuration.compression = WebSocketCompression()
        return SocketServer(identifying: router, configuration: configuration) { handshake -> SocketIdentity<String>? in
            handshake.bearer.map { SocketIdentity($0, user: $0) }
        }
    }

    /// Returns the application that the server is mounted in, with a route of its own.
    static func application(
        _ server: SocketServer<String>, logger: Logger, onServerRunning: @escaping @Sendable (Int) -> Void
    ) -> some ApplicationProtocol {
        let router = Router()
        router.get("/hello") { _, _ in "hello" }
        router.post("/length") { request, _ in
            "\(try await request.body.collect(upTo: 1 << 20).readableBytes)"
        }
        return Application(
            router: router, server: .http1(mounting: server),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            services: [SocketService(server: server)],
            onServerRunning: { channel in onServerRunning(channel.localAddress?.port ?? 0) },
            logger: logger)
    }
}
