#if Metrics && Server
@testable import ClientTestSupport
import CoreMetrics
import HTTPTypes
import MetricsTestKit
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(2))) struct SwiftMetricsTests {
    @Test func figuresReachTheFactory() async throws {
        let factory = TestMetrics()
        let stubs = [Stub(.get, "/a", .status(.serviceUnavailable)).times(1), Stub(.get, "/a", .text("hello"))]
        let setup = Fixture.Setup.client {
            $0.listeners = [MetricsListener(SwiftMetricsSink(factory: factory), labelsServer: false)]
            $0.middleware = [RetryMiddleware(RetryPolicy(backoff: .constant(.milliseconds(1))))]
        }
        try await Fixture.run(stubs, with: setup) { fixture in
            try await fixture.client.send(Request<String>("a", serializer: .string))
            try await fixture.client.send(Request<String>("a", serializer: .string))
        }
        let base = [("http.request.method", "GET"), ("url.scheme", "http")]
        let done = base + [("http.response.status_code", "200"), ("network.protocol.version", "1.1")]
        let duration = try factory.expectTimer("http.client.request.duration", done)
        #expect(duration.values.count == 2)
        #expect(duration.values.allSatisfy { $0 > 0 && $0 < 60_000_000_000 })
        #expect(try factory.expectRecorder("http.client.response.body.size", done).values == [5, 5])
        #expect(try factory.expectCounter("swift_net.client.resends", base).values == [1])
        let active = try factory.expectMeter("http.client.active_requests", base)
        #expect(active.lastValue == 0)
    }

    @Test func thereAreNoMoreSetsThanTheLimit() throws {
        let factory = TestMetrics()
        let sink = SwiftMetricsSink(factory: factory)
        for number in 0..<(SwiftMetricsSink.seriesLimit + 3) {
            sink.add(1, to: .resends, [MetricLabel("server.address", "\(number)")])
        }
        #expect(factory.counters.count == SwiftMetricsSink.seriesLimit + 1)
        #expect(try factory.expectCounter("swift_net.client.resends", []).values == [1, 1, 1])
    }
}
#endif
