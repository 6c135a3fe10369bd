#if Tracing && Server
@testable import ClientTestSupport
import HTTPTypes
import InMemoryTracing
import NetHTTP
import NetTestServer
import NetTesting
import Testing
import Tracing

@Suite(.timeLimit(.minutes(2))) struct TracingTests {
    private let stubs = [
        Stub(.get, "/flaky", .status(.serviceUnavailable)).times(1), Stub(.get, "/flaky", .text("fine")),
        Stub(.get, "/from", .status(.found).header(.location, "/ok?token=s3cret")), Stub(.get, "/ok", .text("hello")),
        Stub(.get, "/bad", .json(text: "{")), .pattern(), .echo("/echo"),
        Stub(.get, "/late", .text("x").delayed(by: .seconds(60))),
    ]

    private func spans(
        over wire: Wire = .plain, _ body: (Fixture, InMemoryTracer) async throws -> Void
    ) async throws -> [FinishedInMemorySpan] {
        let tracer = InMemoryTracer()
        let setup = Fixture.Setup.client {
            $0.middleware = [RetryMiddleware(RetryPolicy(backoff: .constant(.milliseconds(1))))]
            $0.addTracing(tracer)
        }
        try await Fixture.run(stubs, over: wire, with: setup) { try await body($0, tracer) }
        #expect(tracer.activeSpans.isEmpty)
        return tracer.finishedSpans
    }

    private func value(_ name: String, _ span: FinishedInMemorySpan) -> String? {
        switch span.attributes.get(name) {
        case .string(let text): text
        case .int32(let number): "\(number)"
        case .int64(let number): "\(number)"
        default: nil
        }
    }

    @Test(arguments: Wire.allCases) func aCallIsASpanWithOneForEachAttempt(wire: Wire) async throws {
        var port = ""
        let spans = try await spans(over: wire) { fixture, tracer in
            port = fixture.server.baseURL.description.split(separator: ":").last.map(String.init) ?? ""
            let options = RequestOptions(metadata: RequestMetadata(operationID: "getFlaky"))
            _ = try await tracer.withSpan("mine") { _ in
                try await fixture.client.send(Request<String>("flaky", options: options, serializer: .string))
            }
            // The sent context is that of the corresponding attempt.
            let sent = try fixture.server.requests.map { request in
                try request.headers[#require(HTTPField.Name(InMemoryTracer.spanIDKey))]
            }
            #expect(sent == tracer.finishedSpans.filter { $0.kind == .client }.map { $0.spanID })
        }
        try #require(spans.map(\.operationName) == ["GET getFlaky", "GET getFlaky", "GET getFlaky", "mine"])
        #expect(spans.map(\.kind) == [.client, .client, .internal, .internal])
        #expect(spans.map(\.parentSpanID) == [spans[2].spanID, spans[2].spanID, spans[3].spanID, nil])
        #expect(Set(spans.map(\.traceID)).count == 1)
        for span in spans.prefix(3) {
            #expect(value("http.request.method", span) == "GET")
            #expect(value("server.address", span) == "127.0.0.1")
            #expect(value("server.port", span) == port)
            #expect(value("url.full", span)?.hasSuffix("/flaky") == true)
        }
        #expect(spans.prefix(3).map { value("http.response.status_code", $0) } == ["503", "200", "200"])
        #expect(spans.prefix(3).map { value("http.request.resend_count", $0) } == [nil, "1", nil])
        #expect(spans.prefix(3).map { value("error.type", $0) } == ["503", nil, nil])
        #expect(spans.prefix(3).map { $0.status?.code } == [.error, nil, nil])
        #expect(spans.prefix(2).map { value("network.protocol.version", $0) } == [wire.version, wire.version])
        #expect(value("network.peer.address", spans[0]) == "127.0.0.1")
    }

    @Test func aHopOfARedirectIsASpanWithoutSecrets() async throws {
        let spans = try await spans { fixture, _ in
            try await fixture.client.send(Request<String>("from", serializer: .string))
        }
        try #require(spans.map { value("http.response.status_code", $0) } == ["302", "200", "200"])
        #expect(spans.map { value("http.request.resend_count", $0) } == [nil, "1", nil])
        #expect(value("url.full", spans[1])?.hasSuffix("/ok?token=<redacted>") == true)
    }

    @Test func spansEndWithTheBody() async throws {
        let spans = try await spans { fixture, tracer in
            let body = try await fixture.client.stream(Request<Bytes>("bytes", serializer: .bytes)).body
            #expect(tracer.finishedSpans.isEmpty)
            #expect(tracer.activeSpans.count == 2)
            for try await _ in body {}
            #expect(tracer.finishedSpans.count == 2)
            #expect(tracer.activeSpans.isEmpty)
            do { _ = try await fixture.client.stream(Request<Bytes>("bytes", serializer: .bytes)) }
        }
        #expect(spans.map { value("error.type", $0) } == [nil, nil, "cancelled", "cancelled"])
    }

    @Test func spansOfFailedCallsHaveAnErrorType() async throws {
        let spans = try await spans { fixture, _ in
            let closed = try ClosedPort()
            var options = RequestOptions()
            options.retry = .never
            _ = try? await fixture.client.send(
                Request<Bytes>(url: "http://127.0.0.1:\(closed.port)/", options: options, serializer: .bytes))
            _ = try? await fixture.client.send(Request<[Int]>("bad"))
            let task = Task { try await fixture.client.send(Request<Bytes>("late", serializer: .bytes)) }
            try await fixture.server.wait { requests, _ in requests.count == 2 }
            task.cancel()
            _ = try? await task.value
        }
        #expect(
            spans.map { value("error.type", $0) } == [
                "connect", "connect", nil, "decoding", "cancelled", "cancelled",
            ])
        #expect(spans.map { $0.status?.code } == [.error, .error, nil, .error, .error, .error])
    }

    @Test func manyAtATimeAreKeptApart() async throws {
        let spans = try await spans(over: .http2) { fixture, _ in
            let client = fixture.client
            try await withThrowingTaskGroup { group in
                for _ in 0..<30 {
                    group.addTask { try await client.send(Request<String>("ok", serializer: .string)) }
                }
                try await group.waitForAll()
            }
        }
        let calls = Set(spans.filter { $0.kind == .internal }.map(\.spanID))
        #expect(calls.count == 30)
        #expect(Set(spans.filter { $0.kind == .client }.map(\.parentSpanID)) == Set(calls))
    }
}
#endif
