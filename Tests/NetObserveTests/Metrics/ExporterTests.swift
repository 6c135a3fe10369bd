import TestSupport
import Testing

@testable import NetHTTP
@testable import NetObserve

@Suite struct ExporterTests {
    private let labels = [MetricLabel("http.request.method", "GET"), MetricLabel("server.address", "h")]

    @Test func prometheusGetsBucketsSumsAndCounts() {
        let metrics = PrometheusMetrics()
        let size = Metric("a.size", unit: "By", kind: .histogram(bounds: [10, 100]), summary: "Sizes.\nTwo \\ lines.")
        for value in [5.0, 10, 11, 1000] { metrics.record(value, in: size, labels) }
        metrics.record(.nan, in: size, labels)
        metrics.add(2, to: Metric("b.count", unit: "{request}", kind: .counter, summary: "Counts."), [])
        let active = Metric("c.active", unit: "{request}", kind: .upDownCounter, summary: "Now.")
        metrics.add(3, to: active, [])
        metrics.add(-1, to: active, [])
        let set = "http_request_method=\"GET\",server_address=\"h\""
        #expect(
            metrics.text() == """
                # HELP a_size_bytes Sizes.\\nTwo \\\\ lines.
                # TYPE a_size_bytes histogram
                a_size_bytes_bucket{\(set),le="10"} 2
                a_size_bytes_bucket{\(set),le="100"} 3
                a_size_bytes_bucket{\(set),le="+Inf"} 4
                a_size_bytes_sum{\(set)} 1026
                a_size_bytes_count{\(set)} 4
                # HELP b_count_total Counts.
                # TYPE b_count_total counter
                b_count_total 2
                # HELP c_active Now.
                # TYPE c_active gauge
                c_active 2

                """)
    }

    @Test func aValueCannotEndItsLabel() {
        let metrics = PrometheusMetrics()
        let metric = Metric("1 a", unit: "s", kind: .counter, summary: "")
        metrics.add(1, to: metric, [MetricLabel("é\"", "x\"} 1\n\\")])
        #expect(metrics.text().hasSuffix("\n_1_a_seconds_total{___=\"x\\\"} 1\\n\\\\\"} 1\n"))
    }

    @Test func thereAreNoMoreSeriesThanTheLimit() {
        let metrics = PrometheusMetrics()
        for number in 0..<(PrometheusMetrics.seriesLimit + 50) {
            metrics.add(1, to: .resends, [MetricLabel("server.address", "h\(number)")])
        }
        metrics.add(1, to: .resends, [MetricLabel("server.address", "h7")])
        let lines = metrics.text().split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines.count == PrometheusMetrics.seriesLimit + 1)
        #expect(lines.contains("swift_net_client_resends_total{otel_metric_overflow=\"true\"} 50"))
        #expect(lines.contains("swift_net_client_resends_total{server_address=\"h7\"} 2"))
    }

    @Test func statsdGetsALineAValue() {
        let lines = Locked<[String]>([])
        let tagged = StatsDMetrics(prefix: "shop.") { line in lines.change { $0.append(line) } }
        tagged.record(0.0125, in: .requestDuration, labels)
        tagged.record(7, in: .requestBodySize, [])
        tagged.add(1, to: .activeRequests, [])
        tagged.add(-1, to: .activeRequests, [])
        tagged.record(.infinity, in: .requestDuration, labels)
        let plain = StatsDMetrics(sendsTags: false) { line in lines.change { $0.append(line) } }
        plain.add(2, to: .resends, [MetricLabel("a", "b")])
        tagged.add(1, to: .resends, [MetricLabel("a:b", "x|y,z\n#")])
        #expect(
            lines.value == [
                "shop.http.client.request.duration:12.5|ms|#http.request.method:GET,server.address:h",
                "shop.http.client.request.body.size:7|h", "shop.http.client.active_requests:+1|g",
                "shop.http.client.active_requests:-1|g", "swift_net.client.resends:2|c",
                "shop.swift_net.client.resends:1|c|#a_b:x_y_z__",
            ])
    }

    @Test(
        "Scheme, host and port are read from a redacted URL",
        arguments: [
            ("http://h/a", "http", "h", "80"), ("https://h?x=1", "https", "h", "443"),
            ("https://<redacted>@h:8443/a@b:9", "https", "h", "8443"), ("http://[::1]:80/", "http", "[::1]", "80"),
            ("http://[::1]/", "http", "[::1]", "80"), ("http://h:/x", "http", "h", "80"), ("", "", "", "80"),
            ("nonsense", "", "nonsense", "80"), ("a:", "", "a", "80"),
        ])
    func addresses(url: String, scheme: String, host: String, port: String) {
        let address = ServerAddress(url: url)
        #expect(address.scheme == scheme)
        #expect(address.host == host)
        #expect(address.port == port)
    }
}
