#if Server
import Foundation
import Glibc
import Synchronization

/// A Python program whose lines of output are read. It ends with its standard input, and therefore with this process.
final class PeerProgram: Sendable {
    private struct State {
        var lines: [String] = []
        var rest: [UInt8] = []
        var hasEnded = false
        var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
        var next = 0
    }

    private let process = Process()
    private let input = Pipe()
    private let state = Mutex(State())

    /// Starts a script, with the interpreter of the peers from PyPI unless it needs another one.
    init(_ peers: PeerFolder, _ script: String, _ arguments: [String], python: URL? = nil) throws {
        process.executableURL = python ?? peers.python
        process.arguments = ["-u", peers.scripts.appending(path: script).path] + arguments
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        process.standardError = peers.log
        output.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            self?.receive(data)
        }
        try process.run()
    }

    deinit { kill() }

    private func receive(_ data: Data) {
        let waiting = state.withLock { state in
            for byte in data {
                if byte == UInt8(ascii: "\n") {
                    state.lines.append(String(decoding: state.rest, as: UTF8.self))
                    state.rest = []
                } else {
                    state.rest.append(byte)
                }
            }
            if data.isEmpty { state.hasEnded = true }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.yield() }
    }

    /// Removes the first line that begins with a text from the output, and returns the rest of the line; waits for one.
    /// Throws if the program ends before.
    func line(beginning text: String) async throws -> String {
        guard let line = try await line(where: { $0.hasPrefix(text) }) else {
            throw CaseFailure("the peer has ended without a line \"\(text)\"")
        }
        return line.dropFirst(text.count).trimmingCharacters(in: .whitespaces)
    }

    /// Removes the first line that satisfies a condition from the output; nil if the program has ended without one.
    func line(where matches: @Sendable (String) -> Bool) async throws -> String? {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.next += 1
            state.waiting[state.next] = continuation
            return state.next
        }
        defer { state.withLock { _ = $0.waiting.removeValue(forKey: number) } }
        continuation.yield()
        for await _ in changes {
            let (line, hasEnded) = state.withLock { state -> (String?, Bool) in
                let index = state.lines.firstIndex(where: matches)
                return (index.map { state.lines.remove(at: $0) }, state.hasEnded)
            }
            if let line { return line }
            if hasEnded { return nil }
        }
        throw CancellationError()
    }

    /// Writes a line to the program's standard input. A program that has ended doesn't read it.
    func say(_ line: String) { try? input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }

    /// Ends the program like a crash.
    func kill() {
        guard process.isRunning else { return }
        _ = Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Asks the program to end, and waits until it has ended.
    func stop() async throws {
        _ = Glibc.kill(process.processIdentifier, SIGTERM)
        _ = try await within(.seconds(10)) { try await self.line { _ in false } }
    }
}

/// The locations of the peers.
struct PeerFolder: Sendable {
    /// An interpreter with the packages of the peers.
    let python: URL
    /// An interpreter with the packages of the daemons.
    let daemonPython: URL
    let scripts: URL
    /// The file for the peers' error messages.
    let log: FileHandle
}
#endif
