#if os(Linux) && Server
import NetCore
import NetSocket
import NetSocketCore
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// A session over real connections.
@Suite(.timeLimit(.minutes(1)))
struct LiveSessionTests {
    private static let quick = ReconnectPolicy.constant(.milliseconds(10))

    @Test func aSessionOutlivesItsConnections() async throws {
        let wire = SocketPeer()
        let server = try await TestServer.start(webSockets: [wire.stub], configuration: .tls())
        try await Fixture.run(trusting: server.caCertificatePEM) { fixture in
            let url = server.baseURL.description.replacing("https", with: "wss") + "/socket"
            let client = SocketClient(url, client: fixture.client, configuration: .init(reconnect: Self.quick))
            try await client.withConnection { client in
                let room = try await client.join("room:1") { ["visit": "first"] }
                for round in 1...5 {
                    // Sent while the connection may already be gone: it may arrive twice.
                    #expect(try await room.send(Say(text: "\(round)"), offline: .resend).text == "\(round)")
                    await wire.drop()
                }
                #expect(try await room.send(Say(text: "last"), offline: .resend).text == "last")
            }
        }
        #expect(wire.connections >= 6)
        let joins = wire.received.count { if case .join = $0 { true } else { false } }
        #expect(joins == wire.connections)
        await server.stop()
    }

    @Test func aServerThatIsStoppedAndStartedAgainIsFound() async throws {
        let wire = SocketPeer()
        let server = try await TestServer.start(webSockets: [wire.stub])
        let port = try #require(Int(server.baseURL.description.split(separator: ":").last ?? ""))
        try await Fixture.run { fixture in
            let client = SocketClient(
                "ws://127.0.0.1:\(port)/socket", client: fixture.client, configuration: .init(reconnect: Self.quick))
            client.start()
            #expect(try await client.send(Say(text: "1")).text == "1")
            await server.stop()
            for try await state in client.states { if case .waiting = state { break } }
            var configuration = TestServer.Configuration()
            configuration.port = port
            let again = try await TestServer.start(webSockets: [wire.stub], configuration: configuration)
            #expect(try await client.send(Say(text: "2")).text == "2")
            client.close()
            await again.stop()
        }
    }
}
#endif
