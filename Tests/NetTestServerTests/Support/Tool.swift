#if Server
import Foundation
import TestSupport

/// A system command, run to its end.
struct Tool {
    /// The output.
    struct Result: Sendable {
        let exitCode: Int32
        let output: Data
        let errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Runs curl, silent except for errors, with a limit of 20 seconds.
    static func curl(_ arguments: String...) async throws -> Result {
        try await run("/usr/bin/curl", ["-sS", "--max-time", "20"] + arguments)
    }

    /// Runs a Python program.
    static func python(_ program: String, _ arguments: String...) async throws -> Result {
        try await run("/usr/bin/python3", ["-c", program] + arguments)
    }

    static func run(_ path: String, _ arguments: [String]) async throws -> Result {
        try await offPool {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let (output, errors) = (folder.appendingPathComponent("out"), folder.appendingPathComponent("err"))
            for file in [output, errors] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = try FileHandle(forWritingTo: errors)
            try process.run()
            process.waitUntilExit()
            return Result(
                exitCode: process.terminationStatus, output: try Data(contentsOf: output),
                errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
        }
    }
}

/// Writes text to a file that exists until `body` returns.
func withFile<Value>(_ text: String, _ body: (String) async throws -> Value) async throws -> Value {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try await body(file.path)
}
#endif
