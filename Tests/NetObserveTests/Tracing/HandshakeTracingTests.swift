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
        try await tracer.withSpan("mine") { _ in _ = try await client.connect(WebSocketRequest("moved")) }
        // The spans have ended, although the WebSocket is open.
        #expect(tracer.activeSpans.isEmpty)
        let spans = tracer.finishedSpans
        #expect(spans.map(\.kind) == [.client, .client, .internal, .internal])
        #expect(spans.map(\.parentSpanID) == [spans[2].spanID, spans[2].spanID, spans[3].spanID, nil])
        #expect(!"\(spans)".contains("geheim"))
        let sent = try server.requests.map { try $0.headers[#require(HTTPField.Name(InMemoryTracer.spanIDKey))] }
        #expect(sent == spans.prefix(2).map { $0.spanID })
        await client.shutdown()
        await server.stop()
    }
}
#endif
