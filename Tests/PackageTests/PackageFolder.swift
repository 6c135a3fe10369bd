import Foundation
import Synchronization

/// The package under test, and a way to run programs in it.
enum PackageFolder {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder in which this test was built, which also contains the executables of the package.
    static let products = URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent()

    fileprivate static let starting = Mutex(())

    /// Returns the URL of an executable product; nil if this build doesn't contain it.
    static func product(_ name: String) -> URL? {
        let folders = [products, Bundle.main.bundleURL, root.appendingPathComponent(".build-all/debug")]
        return folders.map { $0.appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// Returns true if the folder of shared data, by default beside the package or in `NET_DATA`, contains a file.
    static func hasSharedData(_ path: String) -> Bool {
        let named = ProcessInfo.processInfo.environment["NET_DATA"].flatMap {
            $0.isEmpty ? nil : URL(fileURLWithPath: $0)
        }
        let folder = named ?? root.deletingLastPathComponent().appendingPathComponent("shared")
        return FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path)
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }
}

/// The output and the exit status of a program.
struct ProgramResult: Sendable {
    let status: Int32
    /// Standard output and standard error, as they arrived.
    let output: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// Runs a program on a separate thread.
func run(
    _ program: String, _ arguments: [String], in folder: URL = PackageFolder.root, environment: [String: String] = [:]
) async throws -> ProgramResult {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.currentDirectoryURL = folder
    var variables = ProcessInfo.processInfo.environment
    // The environment of the test run must not affect the programs it starts.
    for name in variables.keys where name.hasPrefix("SWIFT_TESTING") || name.hasPrefix("NET_") { variables[name] = nil }
    process.environment = variables.merging(environment) { $1 }
    // A process that is started at the same time would inherit the pipe and the socket through which the end is seen.
    let pipe = try PackageFolder.starting.withLock { _ in
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return pipe
    }
    return await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            let data = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            let output = String(decoding: data, as: UTF8.self)
            continuation.resume(returning: ProgramResult(status: process.terminationStatus, output: output))
        }
    }
}

/// Calls `body` with a new folder, which is removed afterward. Its name contains a space, like a user's might.
func withTemporaryFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("net package \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}
