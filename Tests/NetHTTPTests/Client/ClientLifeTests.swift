#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

/// Ending calls from outside: all of them, or together with the client.
@Suite(.timeLimit(.minutes(2))) struct ClientLifeTests {
    private let late = Request<Bytes>("late", serializer: .bytes)
    private let drip = Request<Bytes>("drip", serializer: .bytes)
    private let ok = Request<Bytes>("ok", serializer: .bytes)
    private let stubs = [
        Stub(.get, "/late", .text("late").delayed(by: .seconds(60))), Stub.drip(count: 1000, every: .milliseconds(20)),
        Stub(.get, "/ok", .text("ok")), Stub(.get, "/soon", .text("soon").delayed(by: .milliseconds(100))),
    ]

    @Test(arguments: Wire.allCases) func cancelAllEndsEveryCallAndTheClientGoesOn(wire: Wire) async throws {
        try await Fixture.run(stubs, over: wire) { fixture in
            let client = fixture.client
            try await client.send(ok)
            let waiting = (0..<20).map { _ in Task { try await client.send(late) } }
            let streaming = try await client.stream(drip)
            try await fixture.server.wait { requests, _ in requests.count == 22 }
            #expect(client.unfinishedCalls == 21)
            client.cancelAll()
            for task in waiting {
                let error = try await failure { try await task.value }
                #expect(error.code == .cancelled)
                #expect(error.phase == .waiting)
                #expect(error.message == "the client cancelled all its calls")
            }
            let error = await #expect(throws: NetError.self) { for try await _ in streaming.body {} }
            #expect(error?.code == .cancelled)
            #expect(client.unfinishedCalls == 0)
            #expect(try await client.send(ok) == Bytes("ok".utf8))
            try await fixture.server.wait { requests, _ in
                requests.filter { $0.outcome == .clientWentAway }.count == 21
            }
        }
    }

    @Test func theTaskOfACallThatTheClientCancelledIsNotCancelled() async throws {
        try await Fixture.run(stubs) { fixture in
            let client = fixture.client
            let task = Task {
                _ = try? await client.send(late)
                return try await client.send(ok)
            }
            try await fixture.server.wait { requests, _ in requests.count == 1 }
            client.cancelAll()
            #expect(try await task.value == Bytes("ok".utf8))
        }
    }

    @Test func cancelAllEndsThePauseBetweenTwoAttempts() async throws {
        let clock = TestClock()
        let client = HTTPClient(
            baseURL: "http://mock.test", transport: MockTransport([Stub(.get, "/ok", .status(.serviceUnavailable))])
        ) {
            $0.timeouts = Timeouts(firstByte: nil, stall: nil)
            $0.middleware = [RetryMiddleware(RetryPolicy(backoff: .constant(.seconds(30))))]
            $0.clock = clock.netClock
        }
        let task = Task { try await client.send(ok) }
        try await clock.waitForSleepers(count: 1)
        client.cancelAll()
        let error = try await failure { try await task.value }
        #expect(error.code == .cancelled)
        #expect(error.message == "the client cancelled all its calls")
        #expect(clock.sleepers == 0)
        #expect(client.unfinishedCalls == 0)
    }

    @Test func cancelAllEndsCallsOfATransportThatKnowsNothingOfIt() async throws {
        let clock = TestClock()
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport(stubs)) {
            $0.timeouts = Timeouts(firstByte: nil, stall: nil)
            $0.clock = clock.netClock
        }
        let waiting = Task { try await client.send(late) }
        let streaming = try await client.stream(drip)
        let reading = Task { for try await _ in streaming.body {} }
        try await clock.waitForSleepers(count: 2)
        client.cancelAll()
        let error = try await failure { try await waiting.value }
        #expect(error.code == .cancelled)
        let broken = await #expect(throws: NetError.self) { try await reading.value }
        #expect(broken?.code == .cancelled)
        #expect(client.unfinishedCalls == 0)
    }

    @Test func shutdownLetsCallsEndWithinItsGrace() async throws {
        try await Fixture.run(stubs) { fixture in
            let client = fixture.client
            let soon = Task { try await client.send(Request<Bytes>("soon", serializer: .bytes)) }
            try await fixture.server.wait { requests, _ in requests.count == 1 }
            await client.shutdown(grace: .seconds(60))
            #expect(try await soon.value == Bytes("soon".utf8))
            let after = try await failure { try await client.send(ok) }
            #expect(after.code == .shutdown)
            #expect(fixture.server.requests.count == 1)
        }
    }

    @Test func shutdownTakesNoMoreCallsAndEndsThoseThatOutliveItsGrace() async throws {
        let clock = TestClock()
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport(stubs)) {
            $0.timeouts = Timeouts(firstByte: nil, stall: nil)
            $0.clock = clock.netClock
        }
        let waiting = Task { try await client.send(late) }
        try await clock.waitForSleepers(count: 1)
        let closing = Task { await client.shutdown(grace: .seconds(30)) }
        try await clock.waitForSleepers(count: 2)
        let refused = try await failure { try await client.send(ok) }
        #expect(refused.code == .shutdown)
        #expect(refused.message == "the client was shut down")
        await clock.advance(by: .seconds(30))
        await closing.value
        let error = try await failure { try await waiting.value }
        #expect(error.code == .shutdown)
        #expect(client.unfinishedCalls == 0)
    }

    @Test func cancellingAShutdownEndsItsGrace() async throws {
        let clock = TestClock()
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport(stubs)) {
            $0.timeouts = Timeouts(firstByte: nil, stall: nil)
            $0.clock = clock.netClock
        }
        let waiting = Task { try await client.send(late) }
        try await clock.waitForSleepers(count: 1)
        let closing = Task { await client.shutdown(grace: .seconds(30)) }
        try await clock.waitForSleepers(count: 2)
        closing.cancel()
        await closing.value
        let error = try await failure { try await waiting.value }
        #expect(error.code == .shutdown)
    }

    @Test func aThousandCallsEndedInTheMiddleLeaveNothing() async throws {
        try await Fixture.run(stubs) { fixture in
            let client = fixture.client
            for round in 0..<20 {
                let calls = (0..<50).map { index in
                    Task { try await client.send(index % 2 == 0 ? ok : late) }
                }
                try await fixture.server.wait { requests, _ in
                    requests.filter { $0.route == "GET /late" }.count >= 25 * (round + 1)
                }
                client.cancelAll()
                for (index, call) in calls.enumerated() {
                    let result = await call.result
                    if index % 2 == 1 { #expect(throws: (any Error).self) { try result.get() } }
                }
            }
            #expect(client.unfinishedCalls == 0)
            while fixture.transport.statistics.liveTransfers > 0, !Task.isCancelled { await Task.yield() }
        }
    }
}
#endif
