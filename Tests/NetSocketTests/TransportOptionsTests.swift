#if os(Linux) && Server
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// TLS, proxies and addresses apply to WebSockets as well. The effect of each option is tested with HTTP.
@Suite(.timeLimit(.minutes(1)), .enabled(if: PythonPeers.areInstalled))
struct TransportOptionsTests {
    /// Runs `body` with an echo server.
    private func withEcho(
        isSecure: Bool = false, _ body: (TestServer) async throws -> Void
    ) async throws {
        let server = try await TestServer.start(
            webSockets: [.echo()], configuration: isSecure ? .tls() : TestServer.Configuration())
        do {
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private func expectEcho(
        _ url: String, _ change: @escaping @Sendable (inout CurlWebSocketTransport.Configuration) -> Void
    ) async throws {
        try await Fixture.run(with: .init(apply: change)) { fixture in
            let socket = try await fixture.client.connect(url)
            try await socket.send("hello")
            let message = try await socket.receive()
            #expect(message.text == "hello")
            await socket.close()
        }
    }

    private func refusal(
        _ url: String, _ change: @escaping @Sendable (inout CurlWebSocketTransport.Configuration) -> Void
    ) async throws -> NetError {
        try await Fixture.run(with: .init(apply: change)) { fixture in
            try await fixture.refusal(WebSocketRequest(url: url))
        }
    }

    @Test func aNameGoesToAnotherAddress() async throws {
        try await withEcho { server in
            let url = "ws://named.test:\(server.port)/echo"
            try await expectEcho(url) {
                $0.connection.overrides["named.test:\(server.port)"] = .addresses(["127.0.0.1"])
            }
            let error = try await refusal(url) { _ in }
            #expect(error.code == .dns, "\(error)")
        }
    }

    @Test func proxiesOfEveryKindTunnel() async throws {
        let (peers, proxies) = (try await PythonPeers.shared, try await ProxyPeers.shared)
        let authority = try await Certificates.shared.authority
        for isSecure in [false, true] {
            try await withEcho(isSecure: isSecure) { server in
                let pem = server.caCertificatePEM
                let address = "\(isSecure ? "wss" : "ws")://127.0.0.1:\(server.port)/echo"
                for url in [
                    "socks5h://127.0.0.1:\(peers.socks)", "socks5://ann:geheim@127.0.0.1:\(peers.socksForUsers)",
                    "https://localhost:\(peers.tlsProxy)", "http://ann:geheim@127.0.0.1:\(proxies.closed)",
                ] {
                    try await expectEcho(address) {
                        if let pem { $0.tls.trust = .authorities(.text(pem)) }
                        var proxy = ProxyServer(url)
                        proxy.tls.trust = .authorities(.file(authority))
                        $0.proxy = .server(proxy)
                    }
                }
                let refused = try await refusal(address) {
                    $0.proxy = .server(ProxyServer("http://bob:geheim@127.0.0.1:\(proxies.closed)"))
                }
                #expect(refused.code == .connect, "\(refused)")
                #expect(refused.phase == .connecting, "\(refused)")
                #expect(refused.message.contains("the proxy http://127.0.0.1:\(proxies.closed) refused a tunnel"))
                #expect(!refused.description.contains("geheim"))
            }
        }
    }

    @Test func exceptionsNeedNoProxy() async throws {
        try await withEcho { server in
            try await expectEcho("ws://127.0.0.1:\(server.port)/echo") {
                $0.proxy = .server(ProxyServer("http://127.0.0.1:1"), except: ["127.0.0.0/8"])
            }
        }
    }

    @Test func aUnixSocketStandsForAHost() async throws {
        let socket = try await Nginx.shared.socket
        // The server responds, but not with a WebSocket.
        let error = try await refusal("ws://daemon/echo") { $0.connection.unixSockets["daemon"] = .path(socket) }
        #expect(error.status == 200 || error.message.contains("200"), "\(error)")
        let direct = try await refusal("ws://daemon/echo") { _ in }
        #expect(direct.code == .dns, "\(direct)")
    }

    @Test func aClientCertificateAndPinsCount() async throws {
        let (peers, certificates) = (try await PythonPeers.shared, try await Certificates.shared)
        let url = "wss://localhost:\(peers.wantsCertificate12)/echo"
        let none = try await refusal(url) { $0.tls.trust = .authorities(.file(certificates.authority)) }
        #expect(none.code == .tls, "\(none)")
        #expect(none.message.contains("set tls.identity"), "\(none)")
        for (pin, isKnown) in [(certificates.serverPin, true), ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", false)]
        {
            let error = try await refusal(url) {
                $0.tls.trust = .authorities(.file(certificates.authority))
                $0.tls.identity = .init(certificate: .file(certificates.client), key: .file(certificates.clientKey))
                $0.tls.pins = ["localhost": [pin]]
            }
            // TLS is established when the server's response is read, which isn't a WebSocket's.
            #expect((error.code != .tls) == isKnown, "\(error)")
            if isKnown { #expect(error.status == 200 || error.message.contains("200"), "\(error)") }
        }
    }

    @Test func unreadableAuthorityFilesAreNamedInTheError() async throws {
        let error = try await refusal("wss://localhost/echo") { $0.tls.trust = .authorities(.file("/no/such")) }
        #expect(error.code == .invalidRequest)
        #expect(error.phase == .preparing)
        #expect(error.message.hasPrefix("tls.trust: the file /no/such cannot be read"), "\(error)")
    }
}
#endif
