#if Tools && Server
import ArgumentParser
import Testing

@testable import net_lab

@Suite struct ServeCommandTests {
    private static func refusal(of address: String) throws -> String {
        let error = try #require(throws: (any Error).self) {
            try ServeCommand.Chat.parse(["--port", "0", "--redis", address])
        }
        return ServeCommand.Chat.message(for: error)
    }

    #if Redis
    @Test func `An address that isn't one of a broker is a usage error, which doesn't repeat it`() throws {
        let message = try Self.refusal(of: "http://:secret@example.com")
        #expect(message.hasPrefix("--redis: "), "\(message)")
        #expect(message.contains("redis://[[user]:password@]host[:port][/database]"), "\(message)")
        #expect(!message.contains("secret"))
    }

    @Test func `Without a broker at the address, the command fails and says so`() async throws {
        let command = try ServeCommand.Chat.parse(["--port", "0", "--redis", "redis://127.0.0.1:1"])
        let printed = PrintedLines()
        await #expect(throws: ExitCode.failure) { try await printed.take { try await command.run() } }
        #expect(printed.all.count == 1)
        #expect(printed.all.first?.contains("the broker at redis://127.0.0.1:1/0") == true, "\(printed.all)")
    }
    #else
    @Test func `Without the trait, the option is a usage error that names it`() throws {
        #expect(try Self.refusal(of: "redis://127.0.0.1").contains("--traits Tools,Redis"))
    }
    #endif
}
#endif
