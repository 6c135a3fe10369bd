#if Tools
import Foundation
import Synchronization

/// Runs the built `net-openapi-generate` like its users.
enum CommandRunner {
    struct Outcome {
        var exitCode: Int32
        var output: String
        var errors: String
    }

    /// The folder in which the build has placed the test bundle and the executables.
    static let buildFolder: URL = {
        var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
            folder = bundle.bundleURL.deletingLastPathComponent()
        }
        return folder
    }()

    private static let starting = Mutex(())

    /// Runs a command that takes seconds, on a separate thread.
    static func runAside(executable: URL, _ arguments: [String], folder: String? = nil) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try run(executable: executable, arguments, folder: folder) })
            }
        }
    }

    static func run(_ arguments: String..., folder: String? = nil) throws -> Outcome {
        try run(executable: buildFolder.appending(path: "net-openapi-generate"), arguments, folder: folder)
    }

    static func run(executable: URL, _ arguments: [String], folder: String? = nil) throws -> Outcome {
        let captured = try TemporaryFolder()
        let output = URL(filePath: captured.path + "/out")
        let errors = URL(filePath: captured.path + "/err")
        // Files instead of pipes: a pipe that isn't read would block a process with much output.
        for file in [output, errors] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = URL(filePath: folder) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        // A process that is started at the same time would inherit the socket through which Foundation sees the end.
        try starting.withLock { _ in try process.run() }
        process.waitUntilExit()
        return Outcome(
            exitCode: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8))
    }
}
#endif
