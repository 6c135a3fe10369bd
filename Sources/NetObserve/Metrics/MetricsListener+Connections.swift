public import NetCore
internal import Synchronization

extension MetricsListener {
    /// Reports a snapshot of a client's connections: the open ones by `http.connection.state` (`active` or `idle`),
    /// and the number of waiting calls. Call it before each export, always for the same transport.
    ///
    ///     let metrics = PrometheusMetrics()
    ///     let listener = MetricsListener(metrics)
    ///     let client = HTTPClient(baseURL: "https://api.example.com") { $0.listeners = [listener] }
    ///     listener.record(connections: await client.connections())
    ///     print(metrics.text())
    public func record(connections: [HostConnections]) {
        var values: [ConnectionGauge: Int64] = [:]
        for host in connections {
            let address = ServerAddress(url: host.origin)
            var labels = [MetricLabel("url.scheme", address.scheme)]
            if labelsServer {
                labels += [MetricLabel("server.address", address.host), MetricLabel("server.port", address.port)]
            }
            for (state, count) in [("active", host.active), ("idle", host.idle)] {
                let key = ConnectionGauge(
                    metric: .openConnections, labels: labels + [MetricLabel("http.connection.state", state)])
                values[key, default: 0] += Int64(count)
            }
            values[ConnectionGauge(metric: .waitingCalls, labels: labels), default: 0] += Int64(host.waiting)
        }
        // Reported as changes, since a sink adds values; under the lock, so that two snapshots don't mix.
        gauges.withLock { gauges in
            for (gauge, value) in values {
                let change = value - (gauges[gauge] ?? 0)
                if change != 0 { sink.add(change, to: gauge.metric, gauge.labels) }
            }
            for (gauge, value) in gauges where values[gauge] == nil && value != 0 {
                sink.add(-value, to: gauge.metric, gauge.labels)
            }
            gauges = values.filter { $0.value != 0 }
        }
    }
}

/// A value that a listener reports as changes.
struct ConnectionGauge: Sendable, Hashable {
    let metric: Metric
    let labels: [MetricLabel]
}
