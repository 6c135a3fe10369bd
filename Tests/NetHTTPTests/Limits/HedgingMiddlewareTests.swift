#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(2))) struct HedgingMiddlewareTests {
    private let get = Request<String>("x", serializer: .string)

    @Test func theSecondAnswersWhereTheFirstIsLate() async throws {
        let stubs = [
            Stub(.get, "/x", .text("late").delayed(by: .seconds(60))).times(1), Stub(.get, "/x", .text("quick")),
        ]
        let hedging = HedgingMiddleware(after: .milliseconds(20))
        try await Fixture.run(stubs, with: .client { $0.middleware = [hedging] }) { fixture in
            let text3 = try await fixture.client.send(get)
            #expect(text3 == "quick")
            try await fixture.server.wait { requests, _ in requests.contains { $0.outcome == .clientWentAway } }
            #expect(fixture.transport.statistics.liveTransfers == 0)
        }
    }

    @Test func aQuickAnswerIsSentOnce() async throws {
        let hedging = HedgingMiddleware(after: .seconds(60))
        try await Fixture.run([Stub(nil, "/x", .text("ok"))], with: .client { $0.middleware = [hedging] }) { fixture in
            try await fixture.client.send(get)
            #expect(fixture.server.requests.count == 1)
        }
    }

    @Test func aFailureIsTheCallsWhereNothingElseIsWaitedFor() async throws {
        let hedging = HedgingMiddleware(after: .seconds(60))
        try await Fixture.run([Stub(.get, "/x", .dropped())], with: .client { $0.middleware = [hedging] }) { fixture in
            let error = try await failure { try await fixture.client.send(get) }
            #expect(error.code == .connectionLost)
        }
    }

    @Test func aPostAndAnEmptyBudgetSendOnce() async throws {
        let clock = TestClock()
        let gate = AsyncStream<Void>.makeStream()
        let transport = MockTransport { _, _ in
            for await _ in gate.stream { break }
            return .text("ok")
        }
        let budget = RetryBudget(ratio: 0, reserve: 0)
        let client = virtual(clock, transport, HedgingMiddleware(after: .seconds(1), budget: budget))
        let call = Task { try await client.send(get) }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(1))
        while clock.sleepers > 0, !Task.isCancelled { await Task.yield() }
        gate.continuation.yield()
        #expect(try await call.value == "ok")
        #expect(transport.recordedRequests.count == 1)
    }

    @Test func aCancelledCallCancelsBoth() async throws {
        let stubs = [Stub(.get, "/x", .text("late").delayed(by: .seconds(60)))]
        let hedging = HedgingMiddleware(after: .milliseconds(5))
        try await Fixture.run(stubs, with: .client { $0.middleware = [hedging] }) { fixture in
            let task = Task { try await fixture.client.send(get) }
            try await fixture.server.wait { requests, _ in requests.count == 2 }
            task.cancel()
            let error = try await failure { try await task.value }
            #expect(error.code == .cancelled)
            #expect(fixture.transport.statistics.liveTransfers == 0)
        }
    }
}
#endif
