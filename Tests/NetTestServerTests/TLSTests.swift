#if Server
import Foundation
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import NetTestServer

@Suite(.timeLimit(.minutes(1)))
struct TLSTests {
    /// Runs curl, which trusts the server's authority.
    private func curl(_ server: TestServer, _ arguments: [String]) async throws -> Tool.Result {
        try await withFile(try #require(server.caCertificatePEM)) { file in
            try await Tool.run("/usr/bin/curl", ["-sS", "--max-time", "20", "--cacert", file] + arguments)
        }
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func theAuthorityIsEnoughToTrustTheServer(_ host: String) async throws {
        let server = try await TestServer.start([.echo()], configuration: .tls())
        let result = try await curl(server, ["--http1.1", "https://\(host):\(server.port)/echo?x=1"])
        #expect(result.text.contains(#""target":"/echo?x=1""#), "\(result.errors)")
        #expect(server.requests.first?.version == "1.1")
        await server.stop()
    }

    @Test func withoutTheAuthorityTheClientRefuses() async throws {
        let server = try await TestServer.start([.echo()], configuration: .tls())
        #expect(try await Tool.curl(server.baseURL.description + "/echo").exitCode == 60)
        #expect(server.requests.isEmpty)
        try await server.wait { $1.refusals == 1 }
        await server.stop()
    }

    @Test func aClientThatLeavesWithoutAFarewellIsNoRefusal() async throws {
        let server = try await TestServer.start([.echo()], configuration: .tls())
        let program = """
            import socket, ssl, sys
            context = ssl._create_unverified_context()
            client = context.wrap_socket(socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10))
            client.send(b"GET /echo HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n")
            client.recv(1000)
            client.close()
            """
        let result = try await Tool.python(program, String(server.port))
        #expect(result.exitCode == 0, "\(result.errors)")
        try await server.wait { $1.connections == 1 && $1.openConnections == 0 }
        #expect(server.statistics.refusals == 0)
        await server.stop()
    }

    @Test func anExpiredCertificateIsRefused() async throws {
        let server = try await TestServer.start([.echo()], configuration: .tls(.expired))
        let result = try await curl(server, [server.baseURL.description + "/echo"])
        #expect(result.exitCode == 60)
        #expect(result.errors.contains("expired"))
        await server.stop()
    }

    @Test func handshakesFailInTheOrderOfTheScript() async throws {
        var tls = TestServer.TLS()
        tls.handshakes = [.cutInHandshake, nil, .selfSigned]
        let server = try await TestServer.start([.echo()], configuration: .tls(tls))
        var codes: [Int32] = []
        for _ in 0..<4 { codes.append(try await curl(server, [server.baseURL.description + "/echo"]).exitCode) }
        // 35: cut during the handshake; 60: an untrusted certificate.
        #expect(codes == [35, 0, 60, 0])
        await server.stop()
    }

    @Test func aCertificateForAnotherHostIsRefused() async throws {
        let tls = TestServer.TLS(hosts: ["example.com", "*.example.org"])
        let server = try await TestServer.start([.echo()], configuration: .tls(tls))
        let result = try await curl(server, [server.baseURL.description + "/echo"])
        #expect(result.exitCode == 60)
        let resolved = "https://www.example.org:\(server.port)/echo"
        let right = try await curl(server, ["--resolve", "www.example.org:\(server.port):127.0.0.1", resolved])
        #expect(right.exitCode == 0, "\(right.errors)")
        await server.stop()
    }

    @Test func anAddressOfTheSixthVersionIsServed() async throws {
        var configuration = TestServer.Configuration.tls()
        configuration.host = "::1"
        let server = try await TestServer.start([.echo()], configuration: configuration)
        #expect(server.baseURL.description.hasPrefix("https://[::1]:"))
        let result = try await curl(server, ["-g", server.baseURL.description + "/echo"])
        #expect(result.exitCode == 0, "\(result.errors)")
        await server.stop()
    }

    @Test(arguments: ["", "a b", "x,DNS:evil", "[::1]"])
    func aHostThatIsNoneIsRefused(_ host: String) async {
        await #expect(throws: TestServerError.self) {
            try await TestServer.start(configuration: .tls(TestServer.TLS(hosts: [host])))
        }
    }

    @Test func aClientThatSpeaksNoTLSIsCountedAndClosed() async throws {
        let server = try await TestServer.start([.echo()], configuration: .tls())
        let socket = try RawSocket(port: server.port)
        _ = try await offPool {
            socket.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            return try socket.receiveAll()
        }
        try await server.wait { $1.refusals == 1 && $1.openConnections == 0 }
        await server.stop()
    }
}
#endif
