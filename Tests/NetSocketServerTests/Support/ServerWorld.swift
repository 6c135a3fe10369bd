#if Server
import HTTPTypes
import Logging
import NetCore
import NetSocket
import NetSocketServer
import NetTesting
import TestSupport

struct User: Sendable, Equatable {
    var name: String
}

struct Say: SocketCommand {
    static let event = "say"
    struct Response: Codable, Sendable, Equatable { var text: String }
    var text: String
}

struct Said: SocketPush, Equatable {
    static let event = "said"
    var text: String
}

struct Refresh: SocketCommand {
    static let event = "refresh"
    typealias Response = NoResponse
}

/// A server and its clients in memory, on a clock that advances only when the test does it.
struct ServerWorld: Sendable {
    let server: SocketServer<User>
    let transport: MockWebSocketTransport
    let clock: TestClock
    let log: Locked<[String]>

    /// Runs a server until `body` returns. The query identifies clients: `?user=ada`; none without it, and for `eve`
    /// authentication throws.
    static func run(
        _ router: SocketRouter<User>, subprotocols: [String] = [JSONWireName.numbered],
        faults: WebSocketFaults = WebSocketFaults(), compression: WebSocketCompression? = nil,
        byCredentials: Bool = false, lifetime: Duration? = nil,
        _ change: (inout SocketServerConfiguration) -> Void = { _ in },
        beforeAuthentication wait: @escaping @Sendable () async -> Void = {},
        body: @Sendable (ServerWorld) async throws -> Void
    ) async throws {
        let clock = TestClock()
        var configuration = SocketServerConfiguration()
        configuration.clock = clock.netClock
        let log = Locked<[String]>([])
        configuration.logger = Logger(label: "test") { _ in LineLog(lines: log) }
        change(&configuration)
        let server =
            byCredentials
            ? SocketServer(byCredentials: router, configuration: configuration)
            : SocketServer(identifying: router, configuration: configuration) { handshake in
                await wait()
                guard let name = handshake.query["user"] else { return nil as SocketIdentity<User>? }
                if name == "eve" { throw SocketFailure("forbidden", "eve may not") }
                return SocketIdentity(User(name: name), user: name, expiresIn: lifetime)
            }
        let transport = MockWebSocketTransport(
            subprotocols: subprotocols, compression: compression, faults: faults
        ) { link, request in
            try await server.serve(link, target: request.target, headers: request.headers)
        }
        let world = ServerWorld(server: server, transport: transport, clock: clock, log: log)
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.serve() }
            do {
                try await server.ready()
                // From now on, it checks its time limits each second.
                try await clock.waitForSleepers(count: 1)
                try await body(world)
            } catch {
                server.stop()
                await transport.shutdown()
                try await world.finish(&group)
                throw error
            }
            server.stop()
            await transport.shutdown()
            try await world.finish(&group)
        }
    }

    private func finish(_ group: inout ThrowingTaskGroup<Void, any Error>) async throws {
        group.addTask { [clock] in
            while !Task.isCancelled {
                await clock.advance(by: .milliseconds(100))
                await Task.yield()
            }
        }
        try await group.next()
        group.cancelAll()
    }

    /// Returns a session of a user.
    func client(
        _ name: String = "ada", path: String = "/socket",
        _ change: (inout SocketClient.Configuration) -> Void = { _ in }
    ) -> SocketClient {
        .over(transport, on: clock, url: "ws://example.com\(path)?user=\(name)") { configuration in
            configuration.wire = .numberedJSON
            change(&configuration)
        }
    }

    /// Returns a connection of a user, without a session.
    func socket(_ name: String = "ada", subprotocols: [String] = []) async throws -> WebSocketConnection {
        let client = WebSocketClient(configuration: .init(clock: clock.netClock), transport: transport)
        var request = WebSocketRequest(url: "ws://example.com/socket?user=\(name)")
        request.subprotocols = subprotocols
        return try await client.connect(request)
    }

    /// Waits until a condition holds, without advancing the time.
    func wait(until condition: () async -> Bool) async {
        while await !condition(), !Task.isCancelled { await Task.yield() }
    }

    /// Advances the time until a condition holds.
    func advance(by step: Duration = .milliseconds(50), until condition: () async -> Bool) async {
        while await !condition(), !Task.isCancelled {
            await clock.advance(by: step)
            await Task.yield()
        }
    }
}

enum JSONWireName {
    static let numbered = "swift-net.json.v1"
}

extension SocketClient {
    static func over(
        _ transport: MockWebSocketTransport, on clock: TestClock, url: String,
        _ change: (inout SocketClient.Configuration) -> Void = { _ in }
    ) -> SocketClient {
        var configuration = SocketClient.Configuration()
        change(&configuration)
        let sockets = WebSocketClient(configuration: .init(clock: clock.netClock), transport: transport)
        return SocketClient(url, client: sockets, configuration: configuration)
    }
}

/// Keeps the lines of a log.
struct LineLog: LogHandler {
    let lines: Locked<[String]>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(lines: Locked<[String]>) {
        self.lines = lines
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.change { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
    }
}
#endif
