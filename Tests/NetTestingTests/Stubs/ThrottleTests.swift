import NetCore
import NetHTTP
import Testing

@testable import NetTesting

@Suite(.timeLimit(.minutes(1)))
struct ThrottleTests {
    @Test(arguments: [(1_000, 5_000, 5.0), (50_000, 5_000, 0.1), (7, 7, 1), (1, 3, 3), (1_000_000, 3_000_000, 3)])
    func aBodyTakesItsTimeOnTheClockOfTheClient(_ rate: Int, _ bytes: Int, _ seconds: Double) async throws {
        let clock = TestClock()
        let body = BytePattern.bytes(from: 0, count: bytes)
        let transport = MockTransport([Stub(.get, "/film", StubResponse.bytes(body).throttled(to: rate))])
        var configuration = HTTPClient.Configuration(baseURL: "http://api.test")
        configuration.clock = clock.netClock
        configuration.timeouts = Timeouts(connect: nil, firstByte: nil, stall: nil, total: nil)
        let client = HTTPClient(configuration: configuration, transport: transport)
        let received = try await clock.run { try await client.send(Request<Bytes>("film", serializer: .bytes)) }
        #expect(received == body)
        let elapsed = clock.now / .seconds(1)
        #expect(abs(elapsed - seconds) < 0.01, "\(elapsed) s for \(bytes) bytes at \(rate) per second")
    }

    @Test func theRateIsAtLeastOne() {
        #expect(StubResponse.text("x").throttled(to: -5).bytesPerSecond == 1)
        var response = StubResponse.text("x")
        response.bytesPerSecond = 0
        #expect(response.pace?.pause(before: 2) == .seconds(2))
    }
}
