#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct AdaptiveTimeoutMiddlewareTests {
    @Test func aServerThatIsQuickIsNotWaitedForLong() async throws {
        let limits = Locked<[Duration?]>([])
        let clock = TestClock()
        let transport = MockTransport { _, context in
            limits.change { $0.append(context.timeouts.firstByte) }
            await clock.advance(by: .milliseconds(100))
            return .text("ok")
        }
        let client = virtual(clock, transport, AdaptiveTimeoutMiddleware(range: .milliseconds(1) ... .seconds(30)))
        for _ in 0..<2 { try await client.send(Request<String>("x", serializer: .string)) }
        #expect(limits.value.first == .some(nil))
        let second = try #require(limits.value.last ?? nil)
        #expect(
            abs(second.components.seconds * 1000 + second.components.attoseconds / 1_000_000_000_000_000 - 900) <= 1)
    }

    /// A first measurement of 200 ms results in an estimate of 200 + 4 * 100 ms, times three.
    @Test func aTimeOutCountsAsTwiceTheTimeThatWasWaited() async throws {
        let limits = Locked<[Duration?]>([])
        let clock = TestClock()
        let transport = MockTransport { _, context in
            limits.change { $0.append(context.timeouts.firstByte) }
            await clock.advance(by: .milliseconds(100))
            throw context.error(.timeout, phase: .waiting, message: "silent")
        }
        let client = virtual(clock, transport, AdaptiveTimeoutMiddleware(range: .milliseconds(1) ... .seconds(30)))
        for _ in 0..<2 {
            _ = try await failure { try await client.send(Request<String>("x", serializer: .string)) }
        }
        let second = try #require(limits.value.last ?? nil)
        #expect(abs((second - .milliseconds(1800)) / .milliseconds(1)) <= 1, "\(second)")
    }

    @Test func aRealServerThatFallsSilentIsGivenUp() async throws {
        let stubs = [Stub(.get, "/x", .text("ok")).times(5), Stub(.get, "/x", .text("late").delayed(by: .seconds(60)))]
        let adaptive = AdaptiveTimeoutMiddleware(range: .seconds(2) ... .seconds(3))
        try await Fixture.run(stubs, with: .client { $0.middleware = [adaptive] }) { fixture in
            let get = Request<String>("x", serializer: .string)
            for _ in 0..<5 { try await fixture.client.send(get) }
            let error = try await failure { try await fixture.client.send(get) }
            #expect(error.code == .timeout)
            #expect(error.phase == .waiting)
        }
    }
}
#endif
