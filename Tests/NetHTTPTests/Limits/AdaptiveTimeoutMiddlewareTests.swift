#if Server
@testable import ClientTestSupport
import Foundation
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

    /// A server whose responses take two seconds, after requests that take none, or ten seconds to send.
    private struct Slow: HTTPTransport {
        let clock: TestClock
        let limits = Locked<[Duration]>([])

        func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse {
            let sending = Duration.seconds(request.bodyLength == 0 ? 0 : 10)
            let limit = context.timeouts.firstByte ?? .seconds(30)
            limits.change { $0.append(limit) }
            var metrics = TransferMetrics(total: sending + .seconds(2), requestBytes: request.bodyLength ?? 0)
            (metrics.connected, metrics.requestStarted) = (.milliseconds(3), .milliseconds(3))
            (metrics.requestSent, metrics.firstByte) = (sending + .milliseconds(3), sending + .seconds(2))
            await clock.advance(by: sending + min(limit, .seconds(2)))
            guard limit >= .seconds(2) else { throw context.error(.timeout, phase: .waiting, message: "late") }
            return StreamedResponse(
                head: ResponseHead(status: .ok), body: ResponseBody(Bytes("ok".utf8), metrics: metrics))
        }
    }

    @Test(arguments: [HTTPRequest.Method.get, .post, .put]) func onlyTheTimeAfterSendingCounts(
        method: HTTPRequest.Method
    ) async throws {
        let transport = Slow(clock: TestClock())
        let adaptive = AdaptiveTimeoutMiddleware(range: .milliseconds(1) ... .seconds(30))
        let client = HTTPClient(baseURL: "http://mock.test", transport: transport) {
            $0.middleware = [adaptive]
            $0.clock = transport.clock.netClock
        }
        for _ in 0..<20 {
            let body: RequestBody = method == .get ? .none : .text("a body")
            try await client.send(Request<String>("x", method: method, body: body, serializer: .string))
        }
        let limits = transport.limits.value
        #expect(limits.count == 20)
        // Two seconds, times three, and a deviation that decreases.
        #expect(limits.dropFirst().allSatisfy { $0 >= .milliseconds(5900) && $0 <= .seconds(19) })
        #expect(try #require(limits.last) < .seconds(7))
    }

    @Test func aQuickGETDoesntShortenThePOSTs() async throws {
        let limits = Locked<[Duration?]>([])
        let clock = TestClock()
        let transport = MockTransport { request, context in
            limits.change { $0.append(context.timeouts.firstByte) }
            await clock.advance(by: request.head.method == .get ? .milliseconds(10) : .seconds(2))
            return .text("ok")
        }
        let client = virtual(clock, transport, AdaptiveTimeoutMiddleware())
        for method in [HTTPRequest.Method.get, .get, .get, .post, .get] {
            try await client.send(Request<String>("x", method: method, serializer: .string))
        }
        #expect(limits.value == [nil, .milliseconds(250), .milliseconds(250), nil, .milliseconds(250)])
    }

    /// Real requests whose responses take longer than their sending: none is given up.
    @Test(arguments: [Wire.plain, .http2]) func goodUploadsArentGivenUp(wire: Wire) async throws {
        let count = ProcessInfo.processInfo.environment["NET_SOAK"] == "1" ? 200 : 20
        let stub = Stub(nil, "/x", StubResponse.text("ok").delayed(by: .milliseconds(100)))
        let adaptive = AdaptiveTimeoutMiddleware()
        try await Fixture.run([stub], over: wire, with: .client { $0.middleware = [adaptive] }) { fixture in
            for number in 0..<count {
                let method = number % 2 == 0 ? HTTPRequest.Method.post : .put
                let body = RequestBody.bytes(Bytes([UInt8](repeating: 7, count: 5000 * (number % 9))))
                try await fixture.client.send(Request<String>("x", method: method, body: body, serializer: .string))
            }
        }
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
