#if Tools && Server
internal import ArgumentParser
internal import Foundation
internal import NetCore
internal import NetTestServer

/// `net-lab serve shop`: the bookshop of the tour. Runs until it is interrupted, or until a given command ends.
struct ShopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shop",
        abstract: "Serve the bookshop of the tour.",
        discussion: """
            With a command, it serves while the command runs, and ends with its exit code; {} in an argument of the \
            command becomes the shop's address: net-lab serve shop curl {}/v1/health
            """)

    @Option(help: "The port; 0 picks a free one.")
    var port = 0

    @Argument(parsing: .captureForPassthrough, help: "A command to run while serving, with its arguments.")
    var command: [String] = []

    func run() async throws {
        // The words are passed through, so the parser doesn't see this one.
        if ["--help", "-h"].contains(command.first) { throw CleanExit.helpRequest(self) }
        var configuration = TestServer.Configuration()
        configuration.port = port
        let server = try await TestServer.start(LabWorld().stubs, configuration: configuration)
        let address = server.baseURL.description
        guard !command.isEmpty else {
            Terminal.print("The shop is at \(address)/v1; Ctrl-C ends it.")
            // Only a signal ends this, together with the process.
            while true { try await Task.sleep(for: .seconds(3600)) }
        }
        let words = command.map { $0.replacing("{}", with: address) }
        let code: Int32
        do { code = try await Self.run(words) } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        if code != 0 { throw ExitCode(code) }
    }

    /// Runs a command, found in the search path like in a shell, with this process's input and output. Returns its exit
    /// code.
    private static func run(_ words: [String]) async throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
    }
}
#endif
