#if Redis
import Foundation
import Glibc
import Synchronization

/// A broker on a port of its own, with a folder of its own.
final class Broker: Sendable {
    /// Which program it is.
    struct Kind: Sendable {
        /// Such as `redis`.
        let name: String
        let path: String
    }

    private struct Running {
        let child: Child
        /// Kills the broker when this process ends, since then its input ends.
        let guardian: Child
    }

    /// Loses nothing that it has confirmed.
    static let durable = ["--appendonly", "yes", "--appendfsync", "always"]
    /// Keeps nothing on disk.
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

    /// Starts it, and waits until it answers.
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

    /// Ends it as a crash does.
    func kill() async {
        guard let running = running.withLock({ $0.take() }) else { return }
        await running.guardian.kill()
        await running.child.kill()
    }

    /// Nothing is answered, and the connections stay.
    func pause() { running.withLock { $0?.child.signal(SIGSTOP) } }
    func resume() { running.withLock { $0?.child.signal(SIGCONT) } }

    /// What a command returns, arrays as their elements one after another.
    @discardableResult
    func command(_ words: String...) async throws -> [String] { try await BrokerLine.call(port, words) }

    /// Its name and version.
    func name() async throws -> String {
        let lines = try await command("INFO", "server").joined().split(whereSeparator: \.isNewline)
        func fact(_ name: String) -> Substring? { lines.first { $0.hasPrefix(name + ":") }?.dropFirst(name.count + 1) }
        return "\(kind.name) \(fact("valkey_version") ?? fact("redis_version") ?? "")"
    }
}
#endif
