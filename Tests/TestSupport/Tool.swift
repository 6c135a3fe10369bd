package import Foundation
import Synchronization

/// Runs a system program as a peer: python3, sh, curl.
package struct Tool {
    package struct Failure: Error { let status: Int32, output: String }

    private final class Output: Sendable {
        let data = Mutex(Data())
    }

    /// Runs `arguments` through `env`, on a separate thread, with `input` on its standard input; returns its output.
    package static func run(
        _ arguments: [String], input: Data = Data(), environment: [String: String] = [:]
    ) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try runBlocking(arguments, input, environment) })
            }
        }
    }

    private static func runBlocking(
        _ arguments: [String], _ input: Data, _ environment: [String: String]
    ) throws -> Data {
        let process = Process()
        let stdin = Pipe()
        let stdout = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = stdin
        process.standardOutput = stdout
        try process.run()
        let writer = stdin.fileHandleForWriting
        Thread.detachNewThread {
            // A program that ends before it has read everything is judged by its status.
            try? writer.write(contentsOf: input)
            try? writer.close()
        }
        let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
        }
        return output
    }

    /// Runs a Python program that reads JSON from standard input and prints JSON.
    package static func python<Input: Encodable, Output: Decodable>(
        _ program: String, _ input: Input, as type: Output.Type = Output.self
    ) async throws -> Output {
        let output = try await run(["python3", "-c", program], input: JSONEncoder().encode(input))
        return try JSONDecoder().decode(type, from: output)
    }
}
