import HTTPTypes
import NetCore
import Testing

@testable import NetTesting

struct JournalTests {
    private func send(_ transport: MockTransport, _ method: HTTPRequest.Method, _ path: String) async {
        let request = PreparedRequest(
            head: HTTPRequest(method: method, scheme: "http", authority: "api.test", path: path), body: .none)
        let environment = CallContext.Environment(
            clock: TestClock().netClock, random: SeededRandom(seed: 1).netRandom)
        let context = CallContext(
            for: request, delivery: .collected(upTo: 1 << 20), timeouts: Timeouts(), environment: environment)
        _ = try? await transport.execute(request, context: context)
    }

    @Test func receivedCountsTheRequestsOfAMethodAndPath() async {
        let transport = MockTransport([Stub(.get, "/users/{id}", .status(.ok))])
        for path in ["/users/1", "/users/2?x=1", "/nowhere"] { await send(transport, .get, path) }
        #expect(transport.received(.get, "/users/{id}", times: 2))
        #expect(transport.received(.get, "/users/2"))
        #expect(transport.received(nil, "/nowhere", times: 1))
        #expect(!transport.received(.post, "/users/1"))
        #expect(transport.received(.post, "/users/1", times: 0))
        #expect(!transport.received(.get, "/users/{id}", times: 1))
        #expect(transport.journal.requests(.get, "/users/{id}").map(\.parameters) == [["id": "1"], ["id": "2"]])
        #expect(transport.stubUses.map(\.count) == [2])
    }

    @Test func unmetExpectationsListTheReceivedRequests() async throws {
        let transport = MockTransport([Stub(.get, "/orders/{id}", .status(.ok))])
        let silence = #expect(throws: UnmetExpectation.self) { try transport.expectReceived(nil, "/orders") }
        #expect(silence?.description == "expected any method /orders, but it was never sent:\n  no request was sent")
        for path in ["/orders/1", "/orders/2?token=x", "/health"] { await send(transport, .get, path) }
        let found = try transport.expectReceived(.get, "/orders/{id}", times: 2)
        #expect(found.map(\.parameters) == [["id": "1"], ["id": "2"]])
        try transport.expectReceived(.get, "/health")
        try transport.expectReceived(.delete, "/health", times: 0)
        let often = #expect(throws: UnmetExpectation.self) {
            try transport.expectReceived(.get, "/orders/{id}", times: 1)
        }
        #expect(
            often?.description == """
                expected GET /orders/{id} once, but it was sent 2 times:
                  GET /orders/1, no body
                  GET /orders/2?token=<redacted>, no body
                """)
        let never = #expect(throws: UnmetExpectation.self) {
            try transport.expectReceived(.post, "/orders/2", times: 3)
        }
        #expect(
            never?.description == """
                expected POST /orders/2 3 times, but it was never sent:
                  nearest:
                  2. GET /orders/2?token=<redacted>: the method is GET, not POST
                  1. GET /orders/1: the method is GET, not POST; the path is /orders/1, not /orders/2
                  3. GET /health: the method is GET, not POST; the path is /health, not /orders/2
                """)
    }

    @Test func verifyNamesTheStubsThatWereNotUsedAndTheirLines() async throws {
        let transport = MockTransport([
            Stub(.get, "/a", .status(.ok)), Stub(.get, "/b", .status(.ok)).times(2),
            .serverSentEvents("/events", []), Stub(.get, "/never", .status(.ok)).times(0),
        ])
        let line = #line - 3
        await send(transport, .get, "/a")
        await send(transport, .get, "/b")
        let unused = try #require(#expect(throws: UnusedStubs.self) { try transport.verify() })
        let file = "NetTestingTests/JournalTests.swift"
        #expect(
            unused.description == """
                2 stubs were not used as often as required:
                  GET /b (\(file):\(line)) used 1 of 2 times
                  GET /events (\(file):\(line + 1)) never used
                """)
        await send(transport, .get, "/b")
        await send(transport, .get, "/events")
        try transport.verify()
    }

    @Test func aHundredCallsAtOnceUseAStubAsOftenAsItWasTold() async {
        let transport = MockTransport(
            [Stub(.get, "/a", .status(.ok)).times(40)]
                + Stub.inOrder("rest", (0..<60).map { _ in Stub(.get, "/a", .status(.ok)) }))
        await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { await send(transport, .get, "/a") } }
        }
        #expect(transport.stubUses.map(\.count) == [40] + Array(repeating: 1, count: 60))
        #expect(transport.state(of: "rest") == "step 61")
        #expect(transport.received(.get, "/a", times: 100))
    }
}
