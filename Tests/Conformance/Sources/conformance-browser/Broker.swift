#if Server
import Foundation
import Synchronization

/// A redis-server on a free port that loses no confirmed data when it is killed.
final class Broker: Sendable {
    /// The program; nil if it isn't installed.
    static let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/redis-server" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    private let path: String
    private let port: Int
    private let folder = FileManager.default.temporaryDirectory.appending(path: "redis-\(UUID().uuidString)")
    private let program = Mutex<Program?>(nil)

    var url: String { "redis://127.0.0.1:\(port)" }

    static func start(_ path: String) async throws -> Broker {
        let broker = try Broker(path)
        try await broker.startAgain()
        return broker
    }

    private init(_ path: String) throws {
        self.path = path
        port = try Front.freePort()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Starts it again with its existing data.
    func startAgain() async throws {
        let arguments = [
            "--bind", "127.0.0.1", "--port", "\(port)", "--dir", folder.path, "--save", "", "--appendonly", "yes",
            "--appendfsync", "always",
        ]
        let next = try Program(path, arguments)
        _ = try await Checks.within(.seconds(30)) { try await next.line(with: "eady to accept connections") }
        program.withLock { $0 = next }
    }

    /// Removes its data; it must not be running.
    func forget() throws {
        try FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func kill() async { await program.withLock { $0.take() }?.kill() }
}
#endif
