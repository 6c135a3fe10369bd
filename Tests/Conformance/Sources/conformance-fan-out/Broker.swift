#if Redis
import Foundation
import Glibc
import Synchronization

/// A broker with its own port and its own folder.
final class Broker: Sendable {
    /// The kind of broker.
    struct Kind: Sendable {
        /// The name, such as `redis`.
        let name: String
        let path: String
    }

    private struct Running {
        let child: Child
        /// Kills the broker when this process ends, which closes the guardian's input.
        let guardian: Child
    }

    /// Loses no confirmed data.
    static let durable = ["--appendonly", "yes", "--appendfsync", "always"]
    /// Stores nothing on disk.
    static let forgetful = ["--appendonly", "no"]

    let port: Int
    private let kind: Kind
    private let folder: URL
    private let options: [String]
    private let running = Mutex<Running?>(nil)

    init(_ kind: Kind, _ options: [String]) throws {
        self.kind = kind
        self.options = options
        port = try BrokerLine.freePort()
        folder = FileManager.default.temporaryDirectory.appending(path: "fan-out-\(getpid())-\(port)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var url: String { "redis://127.0.0.1:\(port)" }

    /// Starts the broker, and waits until it responds.
    func start() async throws {
        let fixed = ["--bind", "127.0.0.1", "--port", "\(port)", "--dir", folder.path(), "--save", ""]
        let child = try Child(kind.path, fixed + options, log: "/dev/null")
        let guardian = try Child(
            "/bin/sh", ["-c", "read -r line; kill -KILL \(child.pid)"], log: "/dev/null")
        running.withLock { $0 = Running(child: child, guardian: guardian) }
        for _ in 0..<400 {
            if !child.isRunning { throw Failure("\(kind.name) has ended with \(try await child.end())") }
            if let answer = try? await command("PING"), answer == ["PONG"] { return }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw Failure("\(kind.name) doesn't answer")
    }

    /// Ends the broker like a crash.
    func kill() async {
        guard let running = running.withLock({ $0.take() }) else { return }
        await running.guardian.kill()
        await running.child.kill()
    }

    /// Suspends the broker: it doesn't respond, but the connections stay open.
    func pause() { running.withLock { $0?.child.signal(SIGSTOP) } }
    func resume() { running.withLock { $0?.child.signal(SIGCONT) } }

    /// Returns the result of a command, arrays as their elements one after another.
    @discardableResult
    func command(_ words: String...) async throws -> [String] { try await BrokerLine.call(port, words) }

    /// Returns its name and version.
    func name() async throws -> String {
        let lines = try await command("INFO", "server").joined().split(whereSeparator: \.isNewline)
        func fact(_ name: String) -> Substring? { lines.first { $0.hasPrefix(name + ":") }?.dropFirst(name.count + 1) }
        return "\(kind.name) \(fact("valkey_version") ?? fact("redis_version") ?? "")"
    }
}
#endif
