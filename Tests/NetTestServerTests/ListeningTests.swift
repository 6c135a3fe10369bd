#if Server
import Foundation
import NetTesting
import Testing

@testable import NetTestServer

@Suite(.timeLimit(.minutes(1)))
struct ListeningTests {
    #if os(Linux)
    /// The addresses on which anybody listens at a port, as the kernel writes them: in hexadecimal, host's byte order.
    private func listeners(_ port: Int) throws -> [String] {
        try ["tcp", "tcp6"].flatMap { table in
            try String(contentsOfFile: "/proc/net/\(table)", encoding: .utf8).split(separator: "\n").dropFirst()
                .map { $0.split(separator: " ").map(String.init) }
                .filter { $0[3] == "0A" && $0[1].hasSuffix(":" + String(format: "%04X", port)) }
                .map { String($0[1].prefix { $0 != ":" }) }
        }
    }

    @Test func onlyTheLoopbackIsListenedOn() async throws {
        let server = try await TestServer.start()
        let proxy = try await TCPProxy.start(to: server.port)
        #expect(try listeners(server.port) == ["0100007F"])
        #expect(try listeners(proxy.port) == ["0100007F"])
        await proxy.stop()
        await server.stop()
        #expect(try listeners(server.port).isEmpty && listeners(proxy.port).isEmpty)
    }

    @Test func anAddressOfTheSixthVersionStandsInBrackets() async throws {
        var configuration = TestServer.Configuration()
        configuration.host = "::1"
        let server = try await TestServer.start([Stub(.get, "/", .text("six"))], configuration: configuration)
        #expect(try listeners(server.port) == ["00000000000000000000000001000000"])
        #expect(server.baseURL == "http://[::1]:\(server.port)")
        #expect(server.webSocketURL == "ws://[::1]:\(server.port)")
        #expect(try await Tool.curl("-g", server.baseURL).text == "six")
        await server.stop()
    }
    #endif

    @Test func aHostThatIsNoAddressHereIsAnError() async throws {
        var configuration = TestServer.Configuration()
        configuration.host = "203.0.113.7"
        await #expect(throws: (any Error).self) { try await TestServer.start(configuration: configuration) }
    }
}
#endif
