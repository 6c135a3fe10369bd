import NetHTTP
import Testing

@Suite struct ConnectionMetricsTests {
    private let open = "http_client_open_connections"

    @Test func aReadingIsReportedAsItIs() {
        let metrics = PrometheusMetrics()
        let listener = MetricsListener(metrics)
        let a = HostConnections(origin: "https://a.test:443", open: 5, idle: 2, waiting: 3)
        listener.record(connections: [a, HostConnections(origin: "http://b.test:80", open: 1, idle: 1)])
        func has(_ lines: String...) {
            for line in lines { #expect(metrics.text().contains(line), "\(line) is missing in \(metrics.text())") }
        }
        let labels = #"url_scheme="https",server_address="a.test",server_port="443""#
        has(
            "\(open){\(labels),http_connection_state=\"active\"} 3",
            "\(open){\(labels),http_connection_state=\"idle\"} 2",
            "swift_net_client_waiting{\(labels)} 3",
            #"server_address="b.test",server_port="80",http_connection_state="idle"} 1"#)
        listener.record(connections: [HostConnections(origin: "https://a.test:443", open: 6, idle: 6)])
        has(
            "\(open){\(labels),http_connection_state=\"active\"} 0",
            "\(open){\(labels),http_connection_state=\"idle\"} 6",
            "swift_net_client_waiting{\(labels)} 0",
            #"server_address="b.test",server_port="80",http_connection_state="idle"} 0"#)
        listener.record(connections: [])
        has("\(open){\(labels),http_connection_state=\"idle\"} 0")
    }

    /// Without labels for servers, the hosts are counted together.
    @Test func hostsMayBeCountedTogether() {
        let metrics = PrometheusMetrics()
        let listener = MetricsListener(metrics, labelsServer: false)
        listener.record(connections: [
            HostConnections(origin: "https://a.test:443", open: 2),
            HostConnections(origin: "https://b.test:443", open: 3),
        ])
        #expect(metrics.text().contains("\(open){url_scheme=\"https\",http_connection_state=\"active\"} 5"))
    }
}
