#if Server
import Foundation
import NetTestServer
import Synchronization

/// The chat's server as a process that can be killed and restarted on its port, with proxies that can be cut.
final class ChatServer: Sendable {
    private let path: String
    private let options: [String]
    private let program = Mutex<Program?>(nil)
    /// The port, known once it has been started.
    let port: Int

    static func start(_ path: String, isCompressing: Bool, redis: String? = nil) async throws -> ChatServer {
        let options = (isCompressing ? [] : ["--no-compression"]) + (redis.map { ["--redis", $0] } ?? [])
        let (program, port) = try await Self.run(path, port: 0, options)
        return ChatServer(path, program, port: port, options)
    }

    private init(_ path: String, _ program: Program, port: Int, _ options: [String]) {
        self.path = path
        self.port = port
        self.options = options
        self.program.withLock { $0 = program }
    }

    private static func run(_ path: String, port: Int, _ options: [String]) async throws -> (Program, Int) {
        let program = try Program(path, ["serve", "chat", "--port", "\(port)"] + options)
        let found = try await Checks.within(.seconds(30)) { try await program.line(with: "http://127.0.0.1:") }
        guard let port = Int(found.prefix { $0.isNumber }) else { throw Failure("the server's port is \(found)") }
        return (program, port)
    }

    func url(_ name: String, port: Int? = nil) -> String { "http://127.0.0.1:\(port ?? self.port)/?name=\(name)" }

    func freeze() async throws { try await program.withLock { $0 }?.freeze() }

    func kill() async { await program.withLock { $0.take() }?.kill() }

    func startAgain() async throws {
        let (next, _) = try await Self.run(path, port: port, options)
        program.withLock { $0 = next }
    }

    /// Runs the chat's terminal client.
    func terminal(_ name: String) throws -> Program {
        try Program(path, ["chat", name, "--url", "ws://127.0.0.1:\(port)/socket"])
    }
}
#endif
