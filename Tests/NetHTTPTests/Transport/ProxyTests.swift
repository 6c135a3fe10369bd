#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .enabled(if: PythonPeers.areInstalled)) struct ProxyTests {
    private func trusting(_ proxy: ProxyConfiguration) async throws -> TransportTry.Change {
        let authority = try await Certificates.shared.authority
        return {
            $0.tls.trust = .authorities(.file(authority))
            $0.proxy = proxy
        }
    }

    /// Returns how often a proxy forwarded to and tunneled to a port.
    private func counts(_ port: Int) async throws -> (forwarded: Int, tunnelled: Int) {
        let lines = try await ProxyPeers.shared.requests(to: port)
        return (lines.count { $0.contains(" GET ") }, lines.count { $0.contains(" CONNECT ") })
    }

    /// Runs `body` with a separate server, so that the proxies' log entries for its port belong to one test.
    private func withServer(over wire: Wire = .plain, _ body: (TestServer, ProxyPeers) async throws -> Void)
        async throws
    {
        let proxies = try await ProxyPeers.shared
        var server = try await start(over: wire)
        while !proxies.requests(to: server.port).isEmpty {
            await server.stop()
            server = try await start(over: wire)
        }
        do {
            try await body(server, proxies)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private func start(over wire: Wire) async throws -> TestServer {
        try await TestServer.start(
            [Stub(.get, "/x", .text("ok"))], configuration: wire == .plain ? TestServer.Configuration() : .tls())
    }

    @Test func plainRequestsAreForwardedAndSecureOnesTunnelled() async throws {
        for wire in [Wire.plain, .tls] {
            try await withServer(over: wire) { server, proxies in
                let pem = server.caCertificatePEM
                let text = try await TransportTry.text(server.baseURL.description) {
                    $0.proxy = .server(ProxyServer("http://127.0.0.1:\(proxies.open)"))
                    if let pem { $0.tls.trust = .authorities(.text(pem)) }
                }
                #expect(text == "ok")
                let counts = try await counts(server.port)
                #expect(counts.forwarded == (wire == .plain ? 1 : 0))
                #expect(counts.tunnelled == (wire == .plain ? 0 : 1))
                let via = server.requests.first?.headers[.via]
                #expect((via?.contains("open") == true) == (wire == .plain))
            }
        }
    }

    @Test func everythingIsTunnelledOnRequest() async throws {
        try await withServer { server, proxies in
            let text = try await TransportTry.text(server.baseURL.description) {
                var proxy = ProxyServer("127.0.0.1:\(proxies.open)")
                proxy.tunnelsAlways = true
                $0.proxy = .server(proxy)
            }
            #expect(text == "ok")
            let counts = try await counts(server.port)
            #expect(counts.forwarded == 0)
            #expect(counts.tunnelled == 1)
        }
    }

    @Test(arguments: ["127.0.0.1", "*", "10.0.0.0/8,127.0.0.0/8", "example.com 127.0.0.1"])
    func exceptionsAreReachedDirectly(exceptions: String) async throws {
        try await withServer { server, proxies in
            let text = try await TransportTry.text(server.baseURL.description) {
                $0.proxy = .server(
                    ProxyServer("http://127.0.0.1:\(proxies.open)"),
                    except: exceptions.split(separator: ",").map(String.init))
            }
            #expect(text == "ok")
            let counts = try await counts(server.port)
            #expect(counts.forwarded + counts.tunnelled == 0)
        }
    }

    @Test func schemesHaveProxiesOfTheirOwn() async throws {
        let closed = try ClosedPort()
        try await withServer { server, proxies in
            let open = ProxyServer("http://127.0.0.1:\(proxies.open)")
            let nobody = ProxyServer(closed.baseURL.description)
            let text = try await TransportTry.text(server.baseURL.description) {
                $0.proxy = .servers(http: open, https: nobody)
            }
            #expect(text == "ok")
            let error = try await TransportTry.failure("https://localhost:1") {
                $0.proxy = .servers(http: open, https: nobody)
            }
            #expect(error.code == .connect, "\(error)")
            #expect(error.message.contains("through the proxy \(closed.baseURL)"), "\(error)")
        }
    }

    @Test func userAndPasswordAreShownToTheProxyAlone() async throws {
        for wire in [Wire.plain, .tls] {
            try await withServer(over: wire) { server, proxies in
                let pem = server.caCertificatePEM
                let url = "http://127.0.0.1:\(proxies.closed)"
                for proxy in [
                    ProxyServer(url, user: "ann", password: "geheim"),
                    ProxyServer("ann:geh%65im@127.0.0.1:\(proxies.closed)"),
                ] {
                    let text = try await TransportTry.text(server.baseURL.description) {
                        $0.proxy = .server(proxy)
                        if let pem { $0.tls.trust = .authorities(.text(pem)) }
                    }
                    #expect(text == "ok")
                }
                for request in server.requests { #expect(request.headers[.proxyAuthorization] == nil) }
            }
        }
    }

    @Test func aProxyThatWantsAUserSaysSo() async throws {
        let port = try await ProxyPeers.shared.closed
        for (user, words) in [(nil, "set them in ProxyServer"), ("bob", "does not accept the user and password")] {
            let error = try await TransportTry.failure("https://localhost:1") {
                $0.proxy = .server(
                    ProxyServer("http://127.0.0.1:\(port)", user: user, password: user.map { _ in "geheim" }))
            }
            #expect(error.code == .connect)
            #expect(error.phase == .connecting)
            #expect(
                error.message.contains("the proxy http://127.0.0.1:\(port) refused a tunnel to localhost:1"), "\(error)"
            )
            #expect(error.message.contains("status 40"), "\(error)")
            #expect(error.message.contains(words), "\(error)")
        }
        // Forwarded requests get the proxy's error as their response.
        let forwarded = try await TransportTry.failure("http://localhost:1") {
            $0.proxy = .server(ProxyServer("http://127.0.0.1:\(port)"))
        }
        #expect(forwarded.status == 407)
    }

    @Test func aProxyThatCannotReachTheServerSaysSo() async throws {
        let closed = try ClosedPort()
        let port = try await ProxyPeers.shared.open
        let error = try await TransportTry.failure(closed.baseURL.description.replacing("http:", with: "https:")) {
            $0.proxy = .server(ProxyServer("http://127.0.0.1:\(port)"))
        }
        #expect(error.code == .connect)
        #expect(error.message.contains("the proxy http://127.0.0.1:\(port) refused a tunnel"), "\(error)")
        #expect(error.message.contains("status 50"), "\(error)")
        withExtendedLifetime(closed) {}
    }

    @Test func aProxyThatIsNotThereIsNamed() async throws {
        let closed = try ClosedPort()
        let dead = try await TransportTry.failure("http://example.com") {
            $0.proxy = .server(ProxyServer("http://ann:geheim@127.0.0.1:\(closed.port)"))
        }
        #expect(dead.code == .connect, "\(dead)")
        #expect(dead.message.contains("through the proxy http://127.0.0.1:"), "\(dead)")
        let unknown = try await TransportTry.failure("http://example.com") {
            $0.proxy = .server(ProxyServer("http://ann:geheim@proxy.invalid:3128"))
        }
        #expect(unknown.code == .dns)
        #expect(unknown.phase == .resolving)
        #expect(unknown.message.contains("the proxy http://proxy.invalid:3128 has no address"), "\(unknown)")
        withExtendedLifetime(closed) {}
    }

    @Test func aProxyIsSpokenToByTLS() async throws {
        let (peers, certificates) = (try await PythonPeers.shared, try await Certificates.shared)
        for wire in [Wire.plain, .tls] {
            try await withServer(over: wire) { server, _ in
                let pem = server.caCertificatePEM
                let change: @Sendable (inout ProxyServer) -> TransportTry.Change = { proxy in
                    let proxy = proxy
                    return {
                        $0.proxy = .server(proxy)
                        if let pem { $0.tls.trust = .authorities(.text(pem)) }
                    }
                }
                var proxy = ProxyServer("https://localhost:\(peers.tlsProxy)")
                proxy.tls.trust = .authorities(.file(certificates.authority))
                proxy.tls.pins = ["localhost": [certificates.serverPin]]
                #expect(try await TransportTry.text(server.baseURL.description, change(&proxy)) == "ok")
                let counts = try await counts(server.port)
                #expect(counts.forwarded + counts.tunnelled == 1)

                proxy.tls.pins = ["*": ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]]
                let pinned = try await TransportTry.failure(server.baseURL.description, change(&proxy))
                #expect(pinned.code == .tls, "\(pinned)")
                #expect(pinned.message.contains("isn't in ProxyServer.tls.pins"), "\(pinned)")
                var untrusted = ProxyServer("https://localhost:\(peers.tlsProxy)")
                let error = try await TransportTry.failure(server.baseURL.description, change(&untrusted))
                #expect(error.code == .tls)
                #expect(error.message.contains("the proxy https://localhost:\(peers.tlsProxy)"), "\(error)")
                #expect(error.message.contains("isn't from an authority in ProxyServer.tls.trust"), "\(error)")
            }
        }
    }

    /// A single handle of libcurl is used for both.
    @Test func trustInOneProxyDoesNotExtendToAnother() async throws {
        let port = try await PythonPeers.shared.tlsProxy
        try await withServer { server, _ in
            var careless = ProxyServer("https://localhost:\(port)")
            careless.tls.trust = .dangerouslyAcceptAnyCertificate
            let careful = ProxyServer("https://127.0.0.1:\(port)")
            let chosen = ProxyConfiguration.servers(http: careless, https: careful)
            try await TransportTry.with(server.baseURL.description) {
                $0.proxy = chosen
            } _: { client, transport in
                for _ in 0..<2 {
                    #expect(try await client.send(Request<String>("x")) == "ok")
                    let error = try await failure {
                        try await TransportTry.text("https://localhost:1", over: transport)
                    }
                    #expect(error.code == .tls)
                    #expect(error.message.contains("isn't from an authority in ProxyServer.tls.trust"))
                }
                #expect(transport.statistics.handles == 1)
            }
        }
    }

    @Test(.enabled(if: SquidPeer.program.path != nil && SquidPeer.helper.path != nil))
    func digestWorksForForwardedStreamedAndTunnelledRequests() async throws {
        let port = try await SquidPeer.shared.port
        for (authentication, tunnels) in [
            (ProxyServer.Authentication.digest, false), (.any, false), (.digest, true), (.any, true),
        ] {
            try await withServer { server, _ in
                var proxy = ProxyServer("http://127.0.0.1:\(port)", user: "ann", password: "geheim")
                proxy.authentication = authentication
                proxy.tunnelsAlways = tunnels
                let chosen = proxy
                try await TransportTry.with(server.baseURL.description) {
                    $0.proxy = .server(chosen)
                } _: { client, _ in
                    let response = try await client.response(Request<String>("x", serializer: .string))
                    #expect(response.status == .ok)
                    #expect(response.value == "ok")
                    #expect(response.head.headers[.proxyAuthenticate] == nil)
                    let streamed = try await client.stream(Request<Bytes>("x", serializer: .bytes))
                    #expect(streamed.status == .ok)
                    #expect(try await streamed.body.collect(upTo: 10).count == 2)
                }
            }
        }
        var basic = ProxyServer("http://127.0.0.1:\(port)", user: "ann", password: "geheim")
        basic.tunnelsAlways = true
        let chosen = basic
        let error = try await TransportTry.failure("http://localhost:1") { $0.proxy = .server(chosen) }
        #expect(error.code == .connect, "\(error)")
        #expect(error.message.contains("ProxyServer.authentication"), "\(error)")
    }

    @Test(arguments: [
        ("ftp://proxy:21", "must begin with one of http, https, socks4"), ("http://", "no usable host and port"),
        ("http://proxy:99999", "no usable host and port"), ("http://proxy:80/path", "a scheme, a host and a port"),
        ("http://ann:geheim@pro xy", "no usable host and port"), ("", "no usable host and port"),
    ]) func aURLThatNoProxyHasIsNamed(url: String, words: String) async throws {
        let message = try await TransportTry.unusable { $0.proxy = .server(ProxyServer(url)) }
        #expect(message.hasPrefix("proxy: "), "\(message)")
        #expect(message.contains(words), "\(message)")
        #expect(!message.contains("geheim"))
    }

    @Test func theEnvironmentIsReadOnceAndNeverAgain() async throws {
        let child = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let closed = try ClosedPort()
            try await Fixture.run([Stub(.get, "/x", .text("ok"))], with: .transport { $0.proxy = .environment }) {
                fixture in
                ThisProcess.set("http_proxy", closed.baseURL.description)
                // Uses an existing handle and a new one; a cached connection would hide a proxy.
                for _ in 0..<3 {
                    await fixture.server.resetConnections()
                    try await fixture.client.send(Request<String>("x", serializer: .string))
                }
                let error = try await TransportTry.failure(fixture.server.baseURL.description) {
                    $0.proxy = .environment
                }
                guard error.message.contains("through the proxy \(closed.baseURL)") else {
                    ThisProcess.fail("\(error)")
                }
                ThisProcess.set("http_proxy", "gopher://ann:geheim@proxy")
                let message = try await TransportTry.unusable { $0.proxy = .environment }
                guard message.hasPrefix("the environment's http_proxy: "), !message.contains("geheim") else {
                    ThisProcess.fail(message)
                }
            }
        }
        #expect(String(decoding: child?.standardErrorContent ?? [], as: UTF8.self) == "")
    }
}
#endif
