#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct TracePropagationTests {
    private let get = Request<String>("x", serializer: .string)
    private let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"

    private func run(
        _ middleware: [any Middleware] = [TracePropagationMiddleware()],
        _ stubs: [Stub] = [Stub(nil, "/x", .text("fine"))],
        _ body: (Fixture, EventLog) async throws -> Void
    ) async throws {
        let log = EventLog()
        let setup = Fixture.Setup.client {
            $0.middleware = middleware
            $0.listeners = [log]
        }
        try await Fixture.run(stubs, with: setup) { try await body($0, log) }
    }

    @Test func aCallBeginsATraceWithItsOwnIdAndEachAttemptHasAParent() async throws {
        let retry = RetryMiddleware(RetryPolicy(backoff: .constant(.milliseconds(1))))
        let stubs = [Stub(nil, "/x", .status(.serviceUnavailable)).times(1), Stub(nil, "/x", .text("fine"))]
        try await run([retry, TracePropagationMiddleware()], stubs) { fixture, log in
            let response = try await fixture.client.response(get)
            let sent = try fixture.server.requests.map { try #require(TraceContext(headers: $0.headers)).parent }
            try #require(sent.count == 2)
            #expect(sent[0].parentID != sent[1].parentID)
            #expect(sent[0].isSampled)
            let id = response.call.id.description.filter { $0 != "-" }
            #expect(sent.allSatisfy { $0.traceID.description == id })
            // Listeners receive the sent trace.
            let told = log.all.compactMap { event in
                if case .attemptEnded(let attempt) = event.kind { attempt.trace } else { nil }
            }
            #expect(told == sent)
        }
    }

    @Test func theContextOfTheTaskGoesOn() async throws {
        var context = try #require(TraceContext(headers: [.traceParent: parent]))
        context.state["vendor"] = "v"
        context.baggage["user"] = "al ice"
        try await run { fixture, _ in
            try await TraceContext.$current.withValue(context) {
                async let one = fixture.client.send(get)
                _ = try await (one, fixture.client.send(get))
            }
            try await fixture.client.send(get)
            let sent = try fixture.server.requests.map { try #require(TraceContext(headers: $0.headers)) }
            for one in sent.prefix(2) {
                #expect(one.parent.traceID == context.parent.traceID)
                #expect(one.parent.parentID != context.parent.parentID)
                #expect(!one.parent.isSampled)
                #expect(one.state == context.state)
                #expect(one.baggage == context.baggage)
            }
            #expect(sent[2].parent.traceID != context.parent.traceID)
            #expect(fixture.server.requests[2].headers[.baggage] == nil)
        }
    }

    @Test(arguments: [false, true]) func aFieldOfTheRequestIsKeptUnlessToldOtherwise(replaces: Bool) async throws {
        try await run([TracePropagationMiddleware(replacesExistingHeaders: replaces)]) { fixture, _ in
            var own = get
            own.headers[.traceParent] = parent
            own.headers[.traceState] = "a=1"
            try await fixture.client.send(own)
            let fields = fixture.server.requests[0].headers
            #expect((fields[.traceParent] == parent) == !replaces)
            #expect((fields[.traceState] == "a=1") == !replaces)
        }
    }

    @Test func otherOriginsCanBeLeftOut() async throws {
        try await run([TracePropagationMiddleware(origins: ["https://elsewhere"])]) { fixture, _ in
            try await fixture.client.send(get)
            #expect(fixture.server.requests[0].headers[.traceParent] == nil)
        }
    }
}
#endif
