import Foundation
import Synchronization

/// A program that has run to its end.
struct Command {
    let output: String
    let errors: String
    let exitCode: Int32

    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }

    /// Runs a program and waits for its end.
    static func run(_ path: String, _ arguments: [String], environment: [String: String]? = nil) throws -> Command {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        if let environment { process.environment = environment }
        // Files instead of pipes: the program never waits for a reader, regardless of the size of its output.
        let (output, errors) = (folder.file("output"), folder.file("errors"))
        for name in [output, errors] { try Data().write(to: URL(fileURLWithPath: name)) }
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
        process.standardInput = FileHandle.nullDevice
        try process.start()
        process.waitUntilExit()
        return Command(
            output: String(decoding: try Data(contentsOf: URL(fileURLWithPath: output)), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: URL(fileURLWithPath: errors)), as: UTF8.self),
            exitCode: process.terminationStatus)
    }

    /// Returns the output of the `sqlite3` program, in read-only mode.
    static func sqlite(_ file: String, _ sql: String) throws -> String {
        let command = try run("/usr/bin/env", ["sqlite3", "-readonly", file, sql])
        guard command.exitCode == 0 else { throw CommandError(text: command.errors) }
        return command.output.trimmingCharacters(in: .newlines)
    }

    /// Changes a file with the `sqlite3` program.
    static func changeWithSQLite(_ file: String, _ sql: String) throws {
        let command = try run("/usr/bin/env", ["sqlite3", "-bail", file, sql])
        guard command.exitCode == 0 else { throw CommandError(text: command.errors) }
    }

    /// Returns the path of a product of this package, which the build places beside the tests.
    static func product(_ name: String) -> String {
        Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(name).path ?? name
    }
}

extension Process {
    private static let starting = Mutex(())

    /// Starts the program while no other one is being started. Foundation detects the end of a process through a socket
    /// that the process holds; a process started at the same time would inherit it, and the end would go unnoticed as
    /// long as that one runs.
    func start() throws { try Self.starting.withLock { _ in try run() } }
}

struct CommandError: Error {
    let text: String
}
