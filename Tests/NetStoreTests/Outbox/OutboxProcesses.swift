import Foundation

/// A program that runs concurrently with the test, for tests that kill it.
final class ChildProcess: Sendable {
    private let process: Process
    private let ended: AsyncStream<Void>

    init(_ path: String, _ arguments: [String], output: FileHandle = .nullDevice) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.standardError
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        ended = stream
        process.terminationHandler = { _ in continuation.finish() }
        try process.start()
    }

    deinit { if process.isRunning { kill() } }

    var isRunning: Bool { process.isRunning }

    /// Sends SIGKILL.
    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Waits for the end, and returns the exit code, or the signal.
    @discardableResult
    func end() async -> Int32 {
        for await _ in ended {}
        return process.terminationStatus
    }
}

/// The server of `Tests/OutboxWorker/server.py`, which honors Idempotency-Key and may be killed.
struct ActServer: Sendable {
    /// The actions it has performed: the line, the number and the key of each, in order.
    struct Act: Hashable {
        let line: String
        let number: Int
        let token: String
    }

    let port: Int
    let file: String
    private let process: ChildProcess

    var url: String { "http://127.0.0.1:\(port)" }

    /// Starts it and waits until it accepts connections.
    ///
    /// - Parameter port: Default 0: a free one.
    static func start(_ file: String, port: Int = 0) async throws -> ActServer {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("OutboxWorker/server.py").path
        let output = file + "-port"
        try Data().write(to: URL(fileURLWithPath: output))
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        let process = try ChildProcess("/usr/bin/env", ["python3", "-S", script, "\(port)", file], output: handle)
        while process.isRunning {
            let text = try String(contentsOfFile: output, encoding: .utf8)
            if text.hasSuffix("\n"), let port = Int(text.dropLast()) {
                return ActServer(port: port, file: file, process: process)
            }
            try await Task.sleep(for: .milliseconds(3))
        }
        throw CommandError(text: "the server has ended")
    }

    func kill() async {
        process.kill()
        await process.end()
    }

    func acts() throws -> [Act] {
        let rows = try Command.sqlite(file, "SELECT line, number, token FROM act ORDER BY id")
        return rows.split(separator: "\n").map { row in
            let parts = row.split(separator: "|")
            return Act(line: String(parts[0]), number: Int(parts[1]) ?? -1, token: String(parts[2]))
        }
    }

    /// Returns the number of repeated requests.
    func repeats() throws -> Int { Int(try Command.sqlite(file, "SELECT coalesce(sum(repeats), 0) FROM seen")) ?? 0 }
}
