#if Server
import Logging
import NetCore
import NetSocket
@testable import NetSocketServer
import TestSupport

/// A server on a port of this machine, with clients that have no limits unless a test sets them.
struct PortWorld: Sendable {
    let server: SocketServer<User>
    let port: Int
    let log: Locked<[String]>

    var core: SocketServerCore { server.core }
    var metrics: SocketServerMetrics { core.metrics }

    static func run(
        _ router: SocketRouter<User> = PortWorld.router(),
        _ change: (inout SocketServerConfiguration) -> Void = { _ in },
        identify: @escaping @Sendable (SocketHandshake) async throws -> SocketIdentity<User>? = PortWorld.byName,
        body: @Sendable (PortWorld) async throws -> Void
    ) async throws {
        var configuration = SocketServerConfiguration()
        configuration.limits = .unlimited
        configuration.loopCount = 1
        let log = Locked<[String]>([])
        configuration.logger = Logger(label: "test") { _ in LineLog(lines: log) }
        change(&configuration)
        let server = SocketServer(identifying: router, configuration: configuration, by: identify)
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run() }
            do {
                try await body(PortWorld(server: server, port: server.address.port, log: log))
            } catch {
                server.stop()
                throw error
            }
            server.stop()
            try await group.waitForAll()
        }
    }

    /// Identifies a client by the query.
    @Sendable static func byName(_ handshake: SocketHandshake) async throws -> SocketIdentity<User>? {
        handshake.query["user"].map { SocketIdentity(User(name: $0), user: $0) }
    }

    /// A router that responds to `say`, immediately or from a task, and has channels with a history.
    static func router() -> SocketRouter<User> {
        var router = SocketRouter<User>()
        router.allowsCommandsOutsideChannels = true
        router.channel("room:*") { _ in ChannelRules(history: 1000) }
        router.on(Say.self) { say, _ in .init(text: say.text) }
        return router
    }

    func open(
        _ user: String = "ada", headers: [String] = [], buffer: Int? = nil, resets: Bool = false
    ) async throws -> RawPeer {
        try await .open(
            to: port, target: "/socket?user=\(user)", headers: headers, buffer: buffer, resets: resets)
    }

    static let numbered = "Sec-WebSocket-Protocol: swift-net.json.v1"

    /// A well-behaved client, whose command gets its reply meanwhile.
    func expectAnswer() async throws {
        let quiet = try await open("quiet")
        try await quiet.send(text: RawFrame.say("are you there", id: 7))
        await quiet.wait(for: "are you there")
        if quiet.texts.isEmpty { throw NoAnswer() }
        quiet.end()
    }

    struct NoAnswer: Error {}

    func wait(until condition: () async -> Bool) async {
        while await !condition(), !Task.isCancelled { await Task.yield() }
    }

    func connection(of user: String) -> ServerConnection? { core.connections.connections(of: user).first }

    /// Inspects a connection on its own loop.
    func look<Value: Sendable>(
        at connection: ServerConnection, _ body: @escaping @Sendable (ServerConnection) -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            connection.lane.run { continuation.resume(returning: body(connection)) }
        }
    }
}
#endif
