#if os(Linux) && Server
@testable import ClientTestSupport
import NetHTTP
import NetSocket
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// A handshake that Apache admits after Digest authentication (mod_auth_digest, mod_proxy_wstunnel).
@Suite(.timeLimit(.minutes(1)), .enabled(if: ApachePeer.program.path != nil)) struct HandshakeDigestTests {
    @Test(arguments: [("geheim", [401, 101]), ("wrong", [401, 401])])
    func aChallengeIsAnswered(password: String, statuses: [Int]) async throws {
        let server = try await TestServer.start(webSockets: [.echo("/socket")])
        let port = server.baseURL.description.split(separator: ":").last.flatMap { Int($0) }
        let apache = try await offPool { try ApachePeer(socketPort: port) }
        let log = EventLog()
        var transport = CurlWebSocketTransport.Configuration()
        transport.proxy = .none
        let client = WebSocketClient(
            configuration: .init(
                baseURL: try BaseURL("ws://127.0.0.1:\(apache.port)"),
                middleware: [RetryMiddleware(), DigestMiddleware(user: "ann", password: password)], listeners: [log]),
            transport: CurlWebSocketTransport(configuration: transport))
        var refusal: NetError?
        do throws(NetError) {
            let socket = try await client.connect(WebSocketRequest("socket"))
            try await socket.send("hello")
            #expect(try await socket.receive() == .text("hello"))
        } catch {
            refusal = error
        }
        #expect(refusal?.status == (password == "geheim" ? nil : 401))
        #expect(refusal?.attempt ?? 2 == 2)
        let attempts = log.all.compactMap { event in
            if case .attemptEnded(let attempt) = event.kind { attempt } else { nil }
        }
        #expect(attempts.map(\.status) == statuses)
        #expect(attempts.map(\.number) == [1, 2])
        #expect(log.names.last == (refusal == nil ? "completed" : "rejected"))
        await client.shutdown()
        await server.stop()
        withExtendedLifetime(apache) {}
    }
}
#endif
