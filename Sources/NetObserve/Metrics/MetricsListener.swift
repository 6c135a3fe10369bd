internal import HTTPTypes
public import NetCore
internal import Synchronization

/// Reports measurements of a client's calls and WebSockets, or of a WebSocket server, to a ``MetricsSink``.
///
/// The labels are those of OpenTelemetry: `http.request.method` (`_OTHER` for nonstandard methods), `url.scheme`,
/// `server.address`, `server.port`, `http.response.status_code`, `network.protocol.version`, and `error.type`: the
/// status if it is 400 or above, or else the error's code. No other part of a URL becomes a label. The traffic of a
/// WebSocket is counted when it ends. Connections are reported by ``record(connections:)``. The labels of a server
/// are names of commands with a route, outcomes, reasons and classes of close codes: their values are bounded,
/// whatever clients send.
///
///     let metrics = PrometheusMetrics()
///     let client = HTTPClient(baseURL: "https://api.example.com") { $0.listeners = [MetricsListener(metrics)] }
public final class MetricsListener: ActivityListener {
    let sink: any MetricsSink
    /// The labels with which running calls were counted; needed again to subtract them.
    private let running = Mutex<[CallID: [MetricLabel]]>([:])
    /// The values of the last snapshot of connections.
    let gauges = Mutex<[ConnectionGauge: Int64]>([:])
    /// True if `server.address` and `server.port` are labels. Default true.
    public let labelsServer: Bool

    /// Creates a listener.
    ///
    /// - Parameters:
    ///   - sink: The destination of the measurements.
    ///   - labelsServer: True to use `server.address` and `server.port` as labels; use false for a client with an
    ///     unbounded number of hosts. Default true.
    public init(_ sink: any MetricsSink, labelsServer: Bool = true) {
        self.sink = sink
        self.labelsServer = labelsServer
    }

    public func record(_ event: ActivityEvent) {
        switch event.kind {
        case .started: begin(event)
        case .attemptEnded(let attempt): add(attempt, event)
        case .retrying: sink.add(1, to: .resends, base(event.method, event.url))
        case .cache, .responded: break
        case .ended(let outcome): end(event, outcome)
        }
    }

    private func begin(_ event: ActivityEvent) {
        let labels = base(event.method, event.url)
        running.withLock { $0[event.call] = labels }
        sink.add(1, to: .activeRequests, labels)
    }

    private func end(_ event: ActivityEvent, _ outcome: ActivityEvent.Outcome) {
        guard let labels = running.withLock({ $0.removeValue(forKey: event.call) }) else { return }
        sink.add(-1, to: .activeRequests, labels)
        let result = Self.result(status: outcome.status, error: outcome.error, isCancelled: outcome.name == "cancelled")
        sink.record(event.elapsed.inSeconds, in: .callDuration, labels + result)
    }

    private func add(_ attempt: ActivityEvent.Attempt, _ event: ActivityEvent) {
        var labels = base(attempt.method ?? event.method, attempt.url ?? event.url)
        labels += Self.result(status: attempt.status, error: attempt.error, isCancelled: false)
        let metrics = attempt.metrics
        if let version = metrics?.version, !version.isEmpty {
            labels.append(MetricLabel("network.protocol.version", version))
        }
        if let duration = attempt.start.map({ event.elapsed - $0 }) ?? metrics?.total {
            sink.record(duration.inSeconds, in: .requestDuration, labels)
        }
        guard let metrics else { return }
        sink.record(Double(metrics.requestBytes), in: .requestBodySize, labels)
        sink.record(Double(metrics.responseBytes), in: .responseBodySize, labels)
        if let waiting = metrics.phases.waiting { sink.record(waiting.inSeconds, in: .timeToFirstByte, labels) }
        // Without a response, the connection may not have been established.
        if attempt.status != nil {
            let use = MetricLabel("swift_net.connection.reused", metrics.isReused ? "true" : "false")
            sink.add(1, to: .connections, labels + [use])
        }
    }

    private func base(_ method: HTTPRequest.Method, _ url: String) -> [MetricLabel] {
        SemanticConventions.labels(method: method, url: url, server: labelsServer).map { MetricLabel($0, $1) }
    }

    private static func result(status: Int?, error: NetError?, isCancelled: Bool) -> [MetricLabel] {
        var labels: [MetricLabel] = []
        if let status { labels.append(MetricLabel("http.response.status_code", String(status))) }
        let type =
            isCancelled
            ? NetError.Code.cancelled.rawValue : SemanticConventions.errorType(status: status, error: error)
        if let type { labels.append(MetricLabel("error.type", type)) }
        return labels
    }
}
