#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct TraceTests {
    private let stubs = [
        Stub(.get, "/ok", .text("hello")), Stub(.get, "/missing", .status(.notFound)),
        Stub(.get, "/bad", .json(text: "{")), Stub(.get, "/late", .text("x").delayed(by: .seconds(60))), .pattern(),
        Stub(.get, "/from", .status(.found).header(.location, "/flaky")),
        Stub(.get, "/flaky", .status(.serviceUnavailable)).times(1), Stub(.get, "/flaky", .text("fine")),
    ]

    /// Returns the traces of the calls in `body`.
    private func traces(
        over wire: Wire = .plain, middleware: [any Middleware] = [], _ body: (Fixture) async throws -> Void
    ) async throws -> [CallTrace] {
        let traces = Locked<[CallTrace]>([])
        let listener = TraceListener { trace in traces.change { $0.append(trace) } }
        let setup = Fixture.Setup.client {
            $0.listeners = [listener]
            $0.middleware = middleware
        }
        try await Fixture.run(stubs, over: wire, with: setup) { try await body($0) }
        return traces.value
    }

    @Test(arguments: Wire.allCases) func theFirstCallConnectsAndTheSecondReuses(wire: Wire) async throws {
        let traces = try await traces(over: wire) { fixture in
            for _ in 0..<2 { try await fixture.client.send(Request<String>("ok", serializer: .string)) }
        }
        #expect(traces.count == 2)
        let metrics = try traces.map { try #require($0.attempts.first?.metrics) }
        try #require(metrics.map(\.isReused) == [false, true])
        #expect(metrics.map(\.version) == [wire.version, wire.version])
        #expect(metrics.allSatisfy { $0.remoteAddress?.hasPrefix("127.0.0.1") == true })
        #expect(metrics[0].phases.connect != nil)
        #expect((metrics[0].phases.secure != nil) == (wire != .plain))
        #expect(metrics[1].phases.connect == nil)
        #expect(metrics[1].phases.secure == nil)
        for trace in traces {
            #expect(trace.status == 200)
            #expect(trace.responseBytes == 5)
            #expect(trace.requestBytes == 0)
            #expect(!trace.isStreamed)
            let attempt = try #require(trace.attempts.first)
            let phases = try #require(attempt.metrics?.phases)
            #expect(phases.waiting != nil)
            #expect(phases.download != nil)
            #expect(attempt.end <= trace.duration)
            #expect(attempt.start ?? .seconds(9) <= attempt.end)
        }
    }

    @Test func aRedirectAndARetryAreAttemptsOfOneCall() async throws {
        let retry = RetryMiddleware(RetryPolicy(backoff: .constant(.milliseconds(1))))
        let traces = try await traces(middleware: [retry]) { fixture in
            try await fixture.client.send(Request<String>("from", serializer: .string))
        }
        let trace = try #require(traces.first)
        #expect(traces.count == 1)
        try #require(trace.attempts.map(\.status) == [302, 503, 200])
        #expect(trace.attempts.map { $0.url.suffix(5) } == ["/from", "flaky", "flaky"])
        #expect(trace.attempts.map(\.followsRedirect) == [false, true, false])
        let repeated = try #require(trace.attempts[2].retry)
        #expect(repeated.reason == "status 503")
        #expect(repeated.delay == .milliseconds(1))
        #expect(trace.redirects == 1)
        #expect(trace.retries == 1)
    }

    @Test func aTraceSaysWhichTraceItsAttemptsSent() async throws {
        var sent: [String?] = []
        let retry = RetryMiddleware(RetryPolicy(backoff: .constant(.milliseconds(1))))
        let traces = try await traces(middleware: [retry, TracePropagationMiddleware()]) { fixture in
            try await fixture.client.send(Request<String>("flaky", serializer: .string))
            sent = fixture.server.requests.map { $0.headers[.traceParent] }
        }
        let trace = try #require(traces.first)
        #expect(trace.attempts.map { $0.trace?.description } == sent)
        #expect(Set(sent).count == 2)
        #expect(trace.traceID?.description == trace.call.description.filter { $0 != "-" })
    }

    @Test func everyEndMakesOneTrace() async throws {
        let traces = try await traces { fixture in
            let client = fixture.client
            _ = try? await client.send(Request<String>("missing", serializer: .string))
            _ = try? await client.send(Request<[Int]>("bad"))
            for try await _ in try await client.stream(Request<Bytes>("bytes", serializer: .bytes)).body {}
            do { _ = try await client.stream(Request<Bytes>("bytes", serializer: .bytes)) }
            let task = Task { try await client.send(Request<Bytes>("late", serializer: .bytes)) }
            try await fixture.server.wait { requests, _ in requests.count == 5 }
            task.cancel()
            _ = try? await task.value
            let closed = try ClosedPort()
            _ = try? await client.send(Request<Bytes>(url: "http://127.0.0.1:\(closed.port)/", serializer: .bytes))
        }
        try #require(
            traces.map(\.outcome.name) == ["rejected", "failed", "completed", "cancelled", "cancelled", "failed"])
        #expect(traces.map(\.isStreamed) == [false, false, true, true, false, false])
        #expect(traces.map(\.attempts.count) == [1, 1, 1, 1, 1, 1])
        #expect(traces[1].error?.phase == .decoding)
        #expect(traces[5].attempts[0].error?.code == .connect)
    }

    @Test func manyAtATimeMakeOneTraceEach() async throws {
        let traces = try await traces(over: .http2) { fixture in
            let client = fixture.client
            try await withThrowingTaskGroup { group in
                for _ in 0..<50 {
                    group.addTask { try await client.send(Request<String>("ok", serializer: .string)) }
                }
                try await group.waitForAll()
            }
        }
        #expect(traces.count == 50)
        #expect(Set(traces.map(\.call)).count == 50)
    }

    @Test func aReaderGetsTracesUntilShutdown() async throws {
        try await Fixture.run(stubs) { fixture in
            let early = fixture.client.traces(buffering: .newest(1))
            let traces = fixture.client.traces
            for _ in 0..<3 { try await fixture.client.send(Request<String>("ok", serializer: .string)) }
            await fixture.client.shutdown()
            var count = 0
            for await trace in traces {
                count += 1
                #expect(trace.status == 200)
                #expect(trace.attempts.count == 1)
            }
            #expect(count == 3)
            #expect(fixture.client.droppedActivityEvents == 2)
            count = 0
            for await _ in early { count += 1 }
            #expect(count == 1)
        }
    }
}
#endif
