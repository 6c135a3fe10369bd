#if Tools && Server
import ArgumentParser
import NetSocket
import NetTesting
import Testing

@testable import net_lab

/// Runs tours and commands, and finds failed steps in their lines.
enum Tour {
    static func session(
        _ peer: SocketPeer, _ path: String, _ configuration: SocketClient.Configuration,
        _ body: @escaping @Sendable (SocketClient) async throws -> Bool
    ) async throws -> Bool {
        try await Workbench.with(.mock, [], webSockets: [peer.stub]) { bench in
            try await bench.withSession(path, configuration, body)
        }
    }

    /// Returns the steps of a command that failed; it must also show some that succeeded.
    static func wrong<Command: AsyncParsableCommand>(
        in type: Command.Type, _ words: String...
    ) async throws -> [String] {
        let printed = PrintedLines()
        try await printed.take {
            var command = try type.parse(words)
            try await command.run()
        }
        #expect(printed.all.contains { $0.hasPrefix("  right  ") })
        return printed.all.filter { $0.hasPrefix("  WRONG  ") }
    }

    /// Returns the failed steps of a tour that reports a failure.
    static func wrong(_ tour: (Steps) async throws -> Bool) async throws -> [String] {
        let printed = PrintedLines()
        let isRight = try await printed.take { try await tour(Steps()) }
        #expect(!isRight)
        return printed.all.filter { $0.hasPrefix("  WRONG  ") }
            .map { String($0.dropFirst(9).prefix(14)).split(separator: "  ").first.map(String.init) ?? "" }
    }
}
#endif
