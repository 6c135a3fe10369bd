#if Server
import Foundation
import NetCore
import NetSocketCore
import NetSocketServer
import NetTestServer
import NetTesting
import Synchronization

/// A script of foreign clients, which runs its cases against a complete server of ours.
final class RouterPeer: Sendable {
    /// An endpoint of the server.
    struct Endpoint: Sendable {
        /// The name of its control path.
        let name: String
        let path: String
        let wire: SocketWire
    }

    private struct State {
        var server: SocketServer<String>?
        var running: Task<Void, any Error>?
    }

    private let name: String
    private let script: String
    private let endpoints: [Endpoint]
    private let router: SocketRouter<String>
    private let diary: Diary
    private let log = ServerLog()
    private let known: [String]
    private let state = Mutex(State())

    /// Creates a peer with the handlers of its server.
    ///
    /// - Parameter complaints: The expected errors in the server's log: parts of its lines.
    init(
        _ name: String, _ script: String, _ endpoints: [Endpoint], complaints known: [String] = [],
        _ fill: (inout SocketRouter<String>, Diary) -> Void
    ) {
        self.name = "server: " + name
        self.script = script
        self.endpoints = endpoints
        self.known = known
        diary = Diary()
        var router = SocketRouter<String>()
        fill(&router, diary)
        self.router = router
    }

    var server: SocketServer<String> {
        get throws {
            guard let server = state.withLock({ $0.server }) else { throw CaseFailure("the server doesn't run") }
            return server
        }
    }

    func run(_ peers: PeerFolder) async throws -> CaseList {
        let control = try await TestServer.start(endpoints.flatMap { stubs($0) })
        let port = try await start()
        let client = ScriptRun(name, script, ["\(control.port)"] + endpoints.map(\.name) + ["--server=\(port)"])
        let cases = try await client.run(peers)
        await stop()
        await control.stop()
        let complaints = log.complaints(but: known)
        cases.add(
            "the server has nothing to complain of", complaints.isEmpty ? nil : complaints.joined(separator: "; "))
        return cases
    }

    // MARK: The server

    /// Starts a server without the state of an earlier one, and returns its port.
    func start() async throws -> Int {
        var configuration = SocketServerConfiguration()
        configuration.wires = Dictionary(uniqueKeysWithValues: endpoints.map { ($0.path, $0.wire) })
        configuration.compression = WebSocketCompression(minimumBytes: 0)
        configuration.logger = log.logger
        configuration.drainTimeout = .seconds(1)
        let server = SocketServer(identifying: router, configuration: configuration) {
            [diary] handshake -> SocketIdentity<String>? in
            let query = handshake.query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            diary.note("connection \(handshake.path) \(query.joined(separator: "&"))", on: handshake.path)
            let name = handshake.bearer ?? handshake.query["token"] ?? "guest"
            return name == "wrong" ? nil : SocketIdentity(name, user: name)
        }
        let running = Task { try await server.run() }
        state.withLock { $0 = State(server: server, running: running) }
        return try await within(.seconds(10)) { try await server.address.port }
    }

    /// Ends the server; returns when it has drained.
    func stop() async {
        let running = state.withLock { $0.running }
        running?.cancel()
        _ = await running?.result
    }

    /// Returns the events on a path.
    func heard(on path: String) throws -> [String] { diary.lines(on: path, of: try server) }
}
#endif
