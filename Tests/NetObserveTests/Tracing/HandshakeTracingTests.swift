#if Tracing && os(Linux) && Server
@testable import ClientTestSupport
import HTTPTypes
import InMemoryTracing
import NetHTTP
import NetSocket
import NetTestServer
import NetTesting
import Testing
import Tracing

@Suite(.timeLimit(.minutes(1))) struct HandshakeTracingTests {
    @Test func aHandshakeIsASpanWithOneForEachAttempt() async throws {
        let tracer = InMemoryTracer()
        let moved = Stub(.get, "/moved", .status(.found).header(.location, "/echo?token=geheim"))
        let server = try await TestServer.start([moved], webSockets: [.echo()])
        var configuration = WebSocketClient.Configuration(baseURL: server.baseURL)
        configuration.addTracing(tracer)
        let client = WebSocketClient(configuration: configuration)
        let socket = try await tracer.withSpan("mine") { _ in try await client.connect(WebSocketRequest("moved")) }
        // The spans of the handshake have ended; the one of the WebSocket is open.
        #expect(tracer.activeSpans.map(\.operationName) == ["WebSocket"])
        let spans = tracer.finishedSpans
        #expect(tracer.activeSpans.first?.parentSpanID == spans.first { $0.kind == .internal }?.spanID)
        try await socket.send("geheim")
        await socket.close()
        let closed = try #require(tracer.finishedSpans.last)
        #expect(tracer.activeSpans.isEmpty)
        #expect(closed.operationName == "WebSocket")
        #expect(closed.errors.isEmpty)
        #expect(closed.attributes.get("swift_net.websocket.close_code") == 1000)
        #expect(closed.attributes.get("swift_net.websocket.messages.sent") == 1)
        #expect(!"\(closed)".contains("geheim"))
        try #require(spans.map(\.kind) == [.client, .client, .internal, .internal])
        #expect(spans.map(\.parentSpanID) == [spans[2].spanID, spans[2].spanID, spans[3].spanID, nil])
        #expect(!"\(spans)".contains("geheim"))
        let sent = try server.requests.map { try $0.headers[#require(HTTPField.Name(InMemoryTracer.spanIDKey))] }
        #expect(sent == spans.prefix(2).map { $0.spanID })
        await client.shutdown()
        await server.stop()
    }
}
#endif
