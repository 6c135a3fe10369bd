#if Server
import Foundation
import HTTPTypes
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import NetTestServer

@Suite(.timeLimit(.minutes(1)))
struct ListeningTests {
    #if os(Linux)
    /// Returns the addresses with a listener on a port, as written by the kernel: in hexadecimal, in the host's byte
    /// order.
    private func listeners(_ port: Int) throws -> [String] {
        let end = ":" + String(format: "%04X", port)
        var found: [String] = []
        for table in ["tcp", "tcp6"] {
            for line in try String(contentsOfFile: "/proc/net/\(table)", encoding: .utf8).split(separator: "\n") {
                // Number, local address, remote address, state: 0A is listening.
                let words = line.split(separator: " ").map(String.init)
                if words[3] == "0A", words[1].hasSuffix(end) { found.append(String(words[1].dropLast(end.count))) }
            }
        }
        return found
    }

    @Test func onlyTheLoopbackIsListenedOn() async throws {
        let server = try await TestServer.start()
        let proxy = try await TCPProxy.start(to: server.port)
        #expect(try listeners(server.port) == ["0100007F"])
        #expect(try listeners(proxy.port) == ["0100007F"])
        await proxy.stop()
        await server.stop()
        #expect(try listeners(server.port).isEmpty)
        #expect(try listeners(proxy.port).isEmpty)
    }

    @Test func anAddressOfTheSixthVersionStandsInBrackets() async throws {
        var configuration = TestServer.Configuration()
        configuration.host = "::1"
        let server = try await TestServer.start([Stub(.get, "/", .text("six"))], configuration: configuration)
        #expect(try listeners(server.port) == ["00000000000000000000000001000000"])
        #expect(server.baseURL.description == "http://[::1]:\(server.port)")
        #expect(server.webSocketURL == "ws://[::1]:\(server.port)")
        #expect(try await Tool.curl("-g", server.baseURL.description).text == "six")
        await server.stop()
    }
    #endif

    @Test func anAddressThatCantBeUsedIsAnErrorThatSaysWhy() async throws {
        let server = try await TestServer.start()
        for (host, port, reason) in [
            ("203.0.113.7", 0, "this machine doesn't have that address"),
            ("127.0.0.1", server.port, "another program uses that port"),
        ] {
            var configuration = TestServer.Configuration()
            (configuration.host, configuration.port) = (host, port)
            let error = await #expect(throws: NetError.self) {
                try await TestServer.start(configuration: configuration)
            }
            #expect(error?.code == .connect)
            #expect(error?.description.contains("the server can't listen on \(host):\(port): \(reason)") == true)
        }
        await server.stop()
    }
}
#endif
