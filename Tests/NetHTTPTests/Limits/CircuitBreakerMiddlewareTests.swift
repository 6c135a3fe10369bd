#if Server
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
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

    @Test func connectionsThatCannotBeMadeCountAndOtherOriginsDoNot() async throws {
        let port = try ClosedPort()
        let breaker = CircuitBreakerMiddleware(.init(minimumCalls: 2))
        try await Fixture.run([Stub(nil, "/x", .text("ok"))], with: .client { $0.middleware = [breaker] }) { fixture in
            var away = get
            away.options.absoluteURL = "http://127.0.0.1:\(port.port)/"
            var codes: [NetError.Code] = []
            for _ in 0..<3 { codes.append(try await failure { try await fixture.client.send(away) }.code) }
            #expect(codes == [.connect, .connect, .limited])
            _ = try await fixture.client.send(get)
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
