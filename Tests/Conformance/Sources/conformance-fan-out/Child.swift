#if Redis
import Foundation
import Glibc
import Synchronization

/// A child process.
final class Child: Sendable {
    private struct Output {
        var text: [UInt8] = []
        var hasEnded = false
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Mutex(Output())

    /// Starts a program; its standard error is appended to a file.
    init(_ path: String, _ arguments: [String], log: String) throws {
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = input
        let pipe = Pipe()
        process.standardOutput = pipe
        // Several processes write to the file, each at its end.
        let descriptor = open(log, O_WRONLY | O_APPEND | O_CREAT, 0o644)
        process.standardError =
            descriptor < 0 ? FileHandle.nullDevice : FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        pipe.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            self?.output.withLock { output in
                if output.text.count < 65_536 { output.text += data }
                if data.isEmpty { output.hasEnded = true }
            }
        }
        try process.run()
    }

    deinit { if isRunning { signal(SIGKILL) } }

    var pid: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    /// The resident memory, in bytes.
    var residentBytes: Int {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(getpagesize())
    }

    func signal(_ number: Int32) { _ = Glibc.kill(pid, number) }

    /// Returns the rest of its first line of output that begins with a text.
    func line(_ beginning: String) async throws -> String {
        while true {
            let (text, hasEnded) = output.withLock { (String(decoding: $0.text, as: UTF8.self), $0.hasEnded) }
            for line in text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1)
            where line.hasPrefix(beginning) { return String(line.dropFirst(beginning.count)) }
            if hasEnded { throw Failure("\(process.executableURL?.lastPathComponent ?? "") has ended") }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Waits for its end, and returns its status.
    func end() async throws -> Int32 {
        while process.isRunning { try await Task.sleep(for: .milliseconds(10)) }
        return process.terminationStatus
    }

    /// Ends it like a crash, and waits for that.
    func kill() async {
        if isRunning { signal(SIGKILL) }
        while process.isRunning { try? await Task.sleep(for: .milliseconds(5)) }
    }
}
#endif
