#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct CircuitBreakerMiddlewareTests {
    private let get = Request<String>("x", serializer: .string)

    @Test func aServerThatFailsIsLeftAloneAndTriedAgain() async throws {
        let clock = TestClock()
        let isWell = Locked(false)
        let transport = MockTransport { _, _ in isWell.value ? .text("ok") : .status(.internalServerError) }
        let breaker = CircuitBreakerMiddleware(.init(minimumCalls: 3, openTime: .seconds(10)))
        let client = virtual(clock, transport, breaker)
        for _ in 0..<3 { _ = try await failure { try await client.send(get) } }
        let refused = try await failure { try await client.send(get) }
        #expect(refused.code == .limited)
        #expect(refused.description.contains("10.000 s"))
        #expect(transport.recordedRequests.count == 3)
        isWell.change { $0 = true }
        await clock.advance(by: .seconds(10))
        let text1 = try await client.send(get)
        #expect(text1 == "ok")
        let text2 = try await client.send(get)
        #expect(text2 == "ok")
    }

    @Test func aRefusalNamesTheOriginTheFailuresAndTheTimeOfTheNextTry() async throws {
        let clock = TestClock()
        let isHeld = Locked(false)
        let gate = AsyncStream.makeStream(of: Void.self)
        let transport = MockTransport { _, _ in
            if isHeld.value { for await _ in gate.stream { break } }
            return .status(.internalServerError)
        }
        let breaker = CircuitBreakerMiddleware(.init(minimumCalls: 3, openTime: .seconds(10)))
        let client = virtual(clock, transport, breaker)
        for _ in 0..<3 { _ = try await failure { try await client.send(get) } }
        await clock.advance(by: .seconds(4))
        let refused = try await failure { try await client.send(get) }
        #expect(!refused.message.contains("too many requests"))
        #expect(refused.message.contains("the circuit of http://mock.test is open"), "\(refused)")
        #expect(refused.message.contains("3 of its last 3 calls failed"), "\(refused)")
        #expect(refused.message.contains("in 6.000 s"), "\(refused)")
        #expect(refused.message.contains("nothing was sent"), "\(refused)")
        #expect(refused.isCircuitOpen)
        let circuit = try #require(refused.underlying as? OpenCircuit)
        #expect(circuit.origin == "http://mock.test")
        #expect(circuit.wait == .seconds(6))
        #expect(circuit.trip == .init(failures: 3, calls: 3))
        await clock.advance(by: .seconds(6))
        _ = try await failure { try await client.send(get) }
        let again = try await failure { try await client.send(get) }
        #expect(again.message.contains("so did the call that tried it again"), "\(again)")
        #expect(again.message.contains("in 10.000 s"), "\(again)")
        await clock.advance(by: .seconds(10))
        isHeld.change { $0 = true }
        let probe = Task { try await client.send(get) }
        while transport.recordedRequests.count < 5, !Task.isCancelled { await Task.yield() }
        let meanwhile = try await failure { try await client.send(get) }
        #expect(meanwhile.message.contains("one call is trying it now"), "\(meanwhile)")
        gate.continuation.yield()
        _ = await probe.result
    }

    @Test func connectionsThatCannotBeMadeCountAndOtherOriginsDoNot() async throws {
        let port = try ClosedPort()
        let breaker = CircuitBreakerMiddleware(.init(minimumCalls: 2))
        try await Fixture.run([Stub(nil, "/x", .text("ok"))], with: .client { $0.middleware = [breaker] }) { fixture in
            var away = get
            away.options.absoluteURL = "http://127.0.0.1:\(port.port)/"
            var codes: [NetError.Code] = []
            for _ in 0..<3 { codes.append(try await failure { try await fixture.client.send(away) }.code) }
            #expect(codes == [.connect, .connect, .limited])
            try await fixture.client.send(get)
        }
    }

    @Test func aBodyThatBreaksCounts() async throws {
        let cut = StubResponse.text("a long enough answer").dropping(.afterBodyBytes(5))
        let breaker = CircuitBreakerMiddleware(.init(minimumCalls: 2))
        try await Fixture.run([Stub(.get, "/x", cut)], with: .client { $0.middleware = [breaker] }) { fixture in
            var codes: [NetError.Code] = []
            for _ in 0..<3 { codes.append(try await failure { try await fixture.client.send(get) }.code) }
            #expect(codes == [.connectionLost, .connectionLost, .limited])
        }
    }
}
#endif
