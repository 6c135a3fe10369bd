#if Server
import HTTPTypes
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Messages of WebSockets, captured by the client over a real connection and in memory.
@Suite(.timeLimit(.minutes(1)))
struct CapturedSocketTests {
    private func exchange(_ client: WebSocketClient, _ url: String) async throws {
        var request = WebSocketRequest(
            url: "\(url)/echo", query: ["access_token": "PLANTED-query"],
            headers: [.authorization: "Bearer PLANTED-header"])
        request.secretSubprotocol = "PLANTED-protocol"
        let socket = try await client.connect(request)
        for text in [#"{"password":"PLANTED-json"}"#, "said PLANTED-json, PLANTED-header and PLANTED-query"] {
            try await socket.send(text)
            #expect(try await socket.receive().text == text)
        }
        await socket.close()
    }

    private func check(_ log: CaptureLog) async throws {
        #expect(await eventually { log.messages.count == 4 })
        let messages = log.messages
        #expect(messages.map(\.direction) == [.sent, .received, .sent, .received])
        #expect(messages.map(\.count) == [27, 27, 51, 51])
        let texts = messages.compactMap { $0.redacted().text }
        #expect(texts.count == 4, "\(texts)")
        #expect(!texts.joined().contains("PLANTED"), "\(texts)")
        #expect(texts.last == "said <redacted>, <redacted> and <redacted>")
        // The handshake is an attempt like any other.
        let handshake = try #require(log.attempts.first)
        #expect(log.attempts.count == 1)
        #expect(handshake.call == messages.first?.socket)
        let exchange = handshake.redacted()
        #expect(exchange.request.url.hasPrefix("ws://"))
        #expect(exchange.response?.status == .switchingProtocols)
        #expect(!exchange.everything.contains("PLANTED"), "\(exchange.everything)")
        #expect(exchange.request.headers[.secWebSocketProtocol]?.contains("<redacted>") == true)
    }

    @Test func messagesOverARealConnection() async throws {
        let server = try await TestServer.start(
            webSockets: [.echo("/echo", subprotocols: ["PLANTED-protocol"])])
        let log = CaptureLog([.calls, .bodies, .socketMessages])
        let client = WebSocketClient(configuration: .init(listeners: [log]))
        try await exchange(client, server.webSocketURL.description)
        try await check(log)
        await server.stop()
    }

    @Test func messagesInMemory() async throws {
        let log = CaptureLog([.calls, .bodies, .socketMessages])
        let transport = MockWebSocketTransport([.echo("/echo", subprotocols: ["PLANTED-protocol"])])
        let client = WebSocketClient(configuration: .init(listeners: [log]), transport: transport)
        try await exchange(client, "ws://api.test")
        try await check(log)
    }

    @Test func eventOnlyListenersReceiveNoMessages() async throws {
        let log = CaptureLog([.calls, .sockets, .socketFrames])
        let transport = MockWebSocketTransport([.echo("/echo", subprotocols: ["PLANTED-protocol"])])
        let client = WebSocketClient(configuration: .init(listeners: [log]), transport: transport)
        try await exchange(client, "ws://api.test")
        #expect(log.messages.isEmpty)
        #expect(log.attempts.isEmpty)
    }
}
#endif
