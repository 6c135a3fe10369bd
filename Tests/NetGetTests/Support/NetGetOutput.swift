#if Tools && os(Linux)
import Foundation
import TestSupport

/// The complete output of `net-get` without a terminal.
struct NetGetOutput: Sendable {
    let lines: [String]
    let errors: String
    let exitCode: Int32

    static let program =
        Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent("net-get").path ?? "net-get"

    /// Runs it in a folder.
    static func run(_ arguments: [String], in folder: URL) async throws -> NetGetOutput {
        try await offPool {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = arguments
            process.currentDirectoryURL = folder
            process.standardInput = FileHandle.nullDevice
            // Files instead of pipes: it never waits for a reader, regardless of the size of its output.
            let notes = FileManager.default.temporaryDirectory.appending(path: "net-get-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: notes, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: notes) }
            let (output, errors) = (notes.appending(path: "output"), notes.appending(path: "errors"))
            for file in [output, errors] { try Data().write(to: file) }
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = try FileHandle(forWritingTo: errors)
            try process.run()
            process.waitUntilExit()
            let text = try String(contentsOf: output, encoding: .utf8)
            return NetGetOutput(
                lines: text.split(separator: "\n").map(String.init),
                errors: try String(contentsOf: errors, encoding: .utf8), exitCode: process.terminationStatus)
        }
    }
}
#endif
