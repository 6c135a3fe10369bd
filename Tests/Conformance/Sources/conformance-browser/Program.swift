#if Server
import Foundation
import Glibc
import Synchronization

/// A process whose lines of output, or of standard error, are read.
final class Program: Sendable {
    private struct State {
        var rest: [UInt8] = []
        var lines: [String] = []
        var hasEnded = false
        var readers: [Int: AsyncStream<Void>.Continuation] = [:]
        var count = 0
    }

    private let process = Process()
    private let input = Pipe()
    private let state = Mutex(State())

    /// Starts a program; if `readsErrors` is true, reads its standard error and discards its standard output.
    init(_ path: String, _ arguments: [String], readsErrors: Bool = false) throws {
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = readsErrors ? FileHandle.nullDevice : output
        process.standardError = readsErrors ? output : FileHandle.nullDevice
        output.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            self?.received(data)
        }
        try process.run()
    }

    deinit { end() }

    private func received(_ data: Data) {
        let readers = state.withLock { state in
            state.rest += data
            while let end = state.rest.firstIndex(of: UInt8(ascii: "\n")) {
                state.lines.append(String(decoding: state.rest[..<end], as: UTF8.self))
                state.rest.removeSubrange(...end)
            }
            if data.isEmpty { state.hasEnded = true }
            return Array(state.readers.values)
        }
        for reader in readers { reader.yield() }
    }

    /// Waits for a line that contains a text, and returns the rest of the line after it. Throws if the program ends
    /// before.
    func line(with text: String) async throws -> String {
        let (changes, reader) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.count += 1
            state.readers[state.count] = reader
            return state.count
        }
        defer { state.withLock { _ = $0.readers.removeValue(forKey: number) } }
        reader.yield()
        for await _ in changes {
            let (lines, hasEnded) = state.withLock { ($0.lines, $0.hasEnded) }
            for line in lines {
                if let range = line.range(of: text) { return String(line[range.upperBound...]) }
            }
            if hasEnded {
                throw Failure("the program has ended without a line \"\(text)\"; its last: \(lines.suffix(3))")
            }
        }
        throw CancellationError()
    }

    /// Writes a line to its standard input.
    func write(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// Closes its standard input.
    func endInput() { try? input.fileHandleForWriting.close() }

    /// Stops the process, and waits until each of its threads has stopped.
    func freeze() async throws {
        _ = Glibc.kill(process.processIdentifier, SIGSTOP)
        while try hasRunningThread() { try await Task.sleep(for: .milliseconds(5)) }
    }

    private func hasRunningThread() throws -> Bool {
        let threads = "/proc/\(process.processIdentifier)/task"
        return try FileManager.default.contentsOfDirectory(atPath: threads).contains { thread in
            let status = try? String(contentsOfFile: "\(threads)/\(thread)/status", encoding: .utf8)
            return status.map { !$0.contains("State:\tT") } ?? false
        }
    }

    /// Ends the process, and waits for its end.
    func kill() async {
        end()
        while process.isRunning { try? await Task.sleep(for: .milliseconds(10)) }
    }

    /// Ends the process like a crash.
    func end() {
        if process.isRunning { _ = Glibc.kill(process.processIdentifier, SIGKILL) }
    }
}
#endif
