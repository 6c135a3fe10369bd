#if Server && Tracing
import HTTPTypes
import InMemoryTracing
import NetCore
import NetSocket
import NetSocketServer
import NetTesting
import TestSupport
import Testing
import Tracing

@Suite(.timeLimit(.minutes(5))) struct ServerTracingTests {
    private struct Odd: Error { var token = "PLANTED" }

    private func value(_ name: String, _ span: FinishedInMemorySpan) -> String? {
        if case .string(let text)? = span.attributes.get(name) { text } else { nil }
    }

    private func spans(
        _ router: SocketRouter<User>, headers: HTTPFields = [:], tracer: InMemoryTracer = InMemoryTracer(),
        wire: SocketWire = .numberedJSON, body: @Sendable (WebSocketConnection) async throws -> Void
    ) async throws -> [FinishedInMemorySpan] {
        try await ServerWorld.run(router) {
            $0.addTracing(tracer)
            $0.wires = ["*": wire]
        } body: { world in
            let client = WebSocketClient(configuration: .init(clock: world.clock.netClock), transport: world.transport)
            let socket = try await client.connect(
                WebSocketRequest(url: "ws://example.com/socket?user=ada", headers: headers))
            try await body(socket)
            await socket.close()
        }
        #expect(tracer.activeSpans.isEmpty)
        return tracer.finishedSpans
    }

    private func say(_ text: String, event: String = "say") -> String {
        #"{"event":"\#(event)","requestId":"1","payload":{"text":"\#(text)"}}"#
    }

    @Test(arguments: [SocketExecutor.pool, .loop])
    func `A command is a span, and the parent of those of its handler`(executor: SocketExecutor) async throws {
        let tracer = InMemoryTracer()
        var router = SocketRouter<User>()
        router.on(Say.self, executor: executor) { say, _ in
            tracer.withSpan("query") { _ in }
            return .init(text: say.text)
        }
        let spans = try await spans(router, tracer: tracer) { socket in
            for _ in 1...2 {
                try await socket.send(say("hi"))
                _ = try await socket.receive()
            }
        }
        try #require(spans.map(\.operationName) == ["query", "say", "query", "say"])
        #expect(spans.map(\.kind) == [.internal, .server, .internal, .server])
        #expect(spans[0].parentSpanID == spans[1].spanID)
        #expect(spans[2].parentSpanID == spans[3].spanID)
        #expect(spans[1].parentSpanID == nil)
        #expect(spans[1].traceID != spans[3].traceID)
        #expect(value("rpc.method", spans[1]) == "say")
        #expect(value("url.path", spans[1]) == "/socket")
        #expect(value("swift_net.websocket.wire", spans[1]) == "json.numbered")
        #expect(value("swift_net.websocket.outcome", spans[1]) == "success")
        #expect(value("error.type", spans[1]) == nil)
        #expect(spans[1].status == nil)
        #expect(spans[1].links.isEmpty)
    }

    @Test func `A command that needs no task is a span as well`() async throws {
        let tracer = InMemoryTracer()
        var router = SocketRouter<User>()
        router.onImmediately(Say.self) { say, _ in
            tracer.withSpan("query") { _ in }
            return .init(text: say.text)
        }
        let spans = try await spans(router, tracer: tracer) { socket in
            try await socket.send(say("hi"))
            _ = try await socket.receive()
        }
        try #require(spans.map(\.operationName) == ["query", "say"])
        #expect(spans[0].parentSpanID == spans[1].spanID)
    }

    @Test func `The trace of the handshake is a link, not a parent`() async throws {
        var router = SocketRouter<User>()
        router.on(Say.self) { say, _ in .init(text: say.text) }
        var headers = HTTPFields()
        headers[try #require(HTTPField.Name(InMemoryTracer.traceIDKey))] = "remote-trace"
        headers[try #require(HTTPField.Name(InMemoryTracer.spanIDKey))] = "remote-span"
        let spans = try await spans(router, headers: headers) { socket in
            try await socket.send(say("hi"))
            _ = try await socket.receive()
        }
        try #require(spans.count == 1)
        #expect(spans[0].parentSpanID == nil)
        #expect(spans[0].traceID != "remote-trace")
        let link = spans[0].links.first?.context.inMemorySpanContext
        #expect(link?.traceID == "remote-trace")
        #expect(link?.spanID == "remote-span")
    }

    @Test func `A failure says its code, and is an error only if it is the server's`() async throws {
        var router = SocketRouter<User>()
        router.on(Say.self) { say, _ in
            if say.text == "closed" { throw SocketFailure("closed", "PLANTED") }
            throw Odd()
        }
        let spans = try await spans(router) { socket in
            for text in [say("closed"), say("odd"), say("", event: "PLANTED")] {
                try await socket.send(text)
                _ = try await socket.receive()
            }
        }
        #expect(spans.map(\.operationName) == ["say", "say", "_OTHER"])
        #expect(spans.map { value("error.type", $0) } == ["closed", "internal_error", "unknown_command"])
        #expect(spans.map { value("swift_net.websocket.outcome", $0) } == ["rejected", "failed", "unknown"])
        #expect(spans.map { $0.status?.code } == [nil, .error, nil])
        #expect(spans.allSatisfy { $0.errors.isEmpty && $0.status?.message == nil })
    }
}
#endif
