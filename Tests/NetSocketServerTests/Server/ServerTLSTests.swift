#if Server
import NetCore
import NetSocket
import NetSocketServer
import TestSupport
import Testing

#if ServerTLS
/// The server's own TLS, with real certificates.
@Suite(.enabled(if: Certificates.program.path != nil))
struct ServerTLSTests {
    private func serve(
        certificate: KeyPath<Certificates, String> = \.server, key: KeyPath<Certificates, String> = \.serverKey,
        body: @Sendable (WebSocketClient, SocketServerAddress) async throws -> Void
    ) async throws {
        let certificates = try await Certificates.shared
        let tls = SocketServerTLS(
            certificateChainFile: certificates[keyPath: certificate], privateKeyFile: certificates[keyPath: key])
        var configuration = CurlWebSocketTransport.Configuration()
        configuration.tls.trust = .authorities(.file(certificates.authority))
        let client = WebSocketClient(transport: CurlWebSocketTransport(configuration: configuration))
        try await HandshakeTests.serve {
            $0.tls = tls
        } body: { _, address in
            try await body(client, address)
        }
    }

    @Test func `A client that trusts the authority speaks over TLS`() async throws {
        try await serve { client, address in
            #expect(address.isSecure)
            #expect(address.url.hasPrefix("wss://"))
            let socket = try await client.connect(WebSocketRequest(url: "\(address.url)/socket?user=ada"))
            // Larger than a TLS record, and than the kernel accepts at a time.
            let text = String(repeating: "a", count: 700_000)
            for number in 1...3 {
                try await socket.send(#"{"event":"say","requestId":"\#(number)","payload":{"text":"\#(text)"}}"#)
                let reply = try await socket.receive()
                #expect(reply.text?.contains("ada: " + text) == true)
            }
            await socket.close()
        }
    }

    @Test func `A client that doesn't know the authority refuses the server`() async throws {
        try await serve { _, address in
            let request = WebSocketRequest(url: "\(address.url)/socket?user=ada")
            let error = await #expect(throws: NetError.self) { _ = try await WebSocketClient().connect(request) }
            #expect(error?.code == .tls)
        }
    }

    @Test func `Bytes without TLS end the connection, and the server goes on`() async throws {
        try await serve { client, address in
            let plain = WebSocketRequest(url: "ws://127.0.0.1:\(address.port)/socket?user=ada")
            await #expect(throws: NetError.self) { _ = try await WebSocketClient().connect(plain) }
            let socket = try await client.connect(WebSocketRequest(url: "\(address.url)/socket?user=ada"))
            await socket.close()
        }
    }

    @Test func `A certificate that can't be used is named before the server listens`() async throws {
        let certificates = try await Certificates.shared
        for (chain, key, named) in [
            (
                "/nowhere/chain.pem", certificates.serverKey,
                "the certificate chain of the server can't be used (/nowhere/chain.pem)"
            ),
            (certificates.server, "/nowhere/key.pem", "the private key of the server can't be used (/nowhere/key.pem)"),
            (
                certificates.server, certificates.otherKey,
                "the certificate chain and the private key of the server can't be used"
            ),
        ] {
            var configuration = SocketServerConfiguration()
            configuration.tls = SocketServerTLS(certificateChainFile: chain, privateKeyFile: key)
            let server = SocketServer(router: SocketRouter<Void>(), configuration: configuration)
            let error = await #expect(throws: NetError.self) { try await server.run() }
            #expect(error?.code == .tls, "\(String(describing: error))")
            #expect(error?.message.hasPrefix(named) == true, "\(String(describing: error))")
        }
    }
}
#else
@Suite struct ServerTLSTests {
    @Test func `Without the trait, a server with TLS says which one is missing`() async throws {
        var configuration = SocketServerConfiguration()
        configuration.tls = SocketServerTLS(certificateChainFile: "chain.pem", privateKeyFile: "key.pem")
        let server = SocketServer(router: SocketRouter<Void>(), configuration: configuration)
        let error = await #expect(throws: NetError.self) { try await server.run() }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("ServerTLS") == true)
    }
}
#endif
#endif
