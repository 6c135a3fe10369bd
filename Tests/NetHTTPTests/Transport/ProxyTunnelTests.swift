#if os(Linux)
@testable import ClientTestSupport
import NetHTTP
import Testing

/// Proxies with unusual responses to the request for a tunnel.
@Suite(.timeLimit(.minutes(1))) struct ProxyTunnelTests {
    private func failure(_ answer: String, _ location: SourceLocation = #_sourceLocation) async throws -> NetError {
        let peer = try RawPeer(answer)
        let url = "http://ann:geheim@127.0.0.1:\(peer.port)"
        let change: TransportTry.Change = { $0.proxy = .server(ProxyServer(url)) }
        let error = try await TransportTry.failure("https://localhost:1", change, location)
        #expect(error.message.contains("the proxy http://127.0.0.1:\(peer.port)"), "\(error)", sourceLocation: location)
        #expect(error.code == .connect, "\(error)", sourceLocation: location)
        #expect(error.phase == .connecting, "\(error)", sourceLocation: location)
        peer.stop()
        return error
    }

    @Test func anInterimAnswerIsNoTunnel() async throws {
        for status in ["100 Continue", "101 Switching Protocols"] {
            let error = try await failure("HTTP/1.1 \(status)\r\n\r\n")
            #expect(error.message.contains("refused a tunnel to localhost:1 with status 10"), "\(error)")
        }
    }

    @Test func anAnswerThatIsCutOffOrTooLargeIsTheProxys() async throws {
        let field = "X-Field: \(String(repeating: "a", count: 90))\r\n"
        for answer in ["HTTP/1.1 200 OK\r\nX: a", "HTTP/1.1 200 OK\r\n\(String(repeating: field, count: 8000))"] {
            let error = try await failure(answer)
            #expect(error.message.contains("didn't respond to the request for a tunnel to localhost:1"), "\(error)")
        }
    }

    @Test(arguments: ["http", "socks5h", "socks4a"]) func aProxyThatDoesNotAnswerIsNamed(scheme: String) async throws {
        let peer = try ScriptedPeer { connection, _ in connection.waitForClose() }
        let proxy = "\(scheme)://127.0.0.1:\(peer.port)"
        var settings = CurlTransport.Configuration()
        settings.proxy = .server(ProxyServer(proxy))
        var client = HTTPClient.Configuration(baseURL: "https://localhost:1")
        client.timeouts.connect = .seconds(1)
        let caller = HTTPClient(configuration: client, transport: CurlTransport(configuration: settings))
        let error = try await ClientTestSupport.failure { try await caller.send(Request<String>("x")) }
        #expect(error.code == .timeout, "\(error)")
        #expect(error.phase == .connecting, "\(error)")
        let words =
            scheme == "http"
            ? "the proxy \(proxy) didn't respond to the request for a tunnel"
            : "no connection to localhost:1 through the proxy \(proxy)"
        #expect(error.message.contains(words), "\(error)")
        await caller.shutdown()
        peer.stop()
    }
}
#endif
