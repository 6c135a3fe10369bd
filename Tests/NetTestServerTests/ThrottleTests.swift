#if Server
import HTTPTypes
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import NetTestServer

@Suite(.timeLimit(.minutes(1)))
struct ThrottleTests {
    @Test(arguments: [false, true])
    func aBodyComesEvenlyOnTheClockOfTheServer(_ isHTTP2: Bool) async throws {
        let clock = TestClock()
        var configuration = TestServer.Configuration()
        configuration.clock = clock.netClock
        let film = StubResponse.bytes(BytePattern.bytes(from: 0, count: 5000)).throttled(to: 1000)
        let server = try await TestServer.start([Stub(.get, "/film", film)], configuration: configuration)
        let url = server.baseURL.description + "/film"
        let task = Task { try await Tool.curl(isHTTP2 ? "--http2-prior-knowledge" : "--http1.1", "-N", url) }
        // Nothing arrives before each tenth of a second.
        for tenth in 1...50 {
            try await clock.waitForSleepers(count: 1)
            #expect(server.statistics.bytesWritten == Int64((tenth - 1) * 100))
            await clock.advance(by: .milliseconds(100))
        }
        let result = try await task.value
        #expect(BytePattern.matches(result.output, at: 0), "\(result.errors)")
        #expect(result.output.count == 5000, "\(result.errors)")
        try await server.wait { requests, _ in requests.first?.outcome == .completed }
        #expect(server.requests.first?.end == .seconds(5))
        await server.stop()
    }
}
#endif
