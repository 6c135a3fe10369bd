/// Where figures go: Prometheus text (``PrometheusMetrics``), statsd lines (``StatsDMetrics``), swift-metrics
/// (`SwiftMetricsSink`, under the trait `Metrics`), or whatever you implement.
///
///     struct Printing: MetricsSink {
///         func add(_ amount: Int64, to metric: Metric, _ labels: [MetricLabel]) { print(metric.name, amount) }
///         func record(_ value: Double, in metric: Metric, _ labels: [MetricLabel]) { print(metric.name, value) }
///     }
///
/// Both functions are called on whatever thread the event happens on; they must return at once and never block.
public protocol MetricsSink: Sendable {
    /// Adds to a counter; to an up-down counter also less than nothing.
    func add(_ amount: Int64, to metric: Metric, _ labels: [MetricLabel])
    /// Takes one value into a histogram.
    func record(_ value: Double, in metric: Metric, _ labels: [MetricLabel])
}

/// What is said of a figure beside its value: `http.request.method`, `GET`.
public struct MetricLabel: Sendable, Hashable {
    /// The name, as OpenTelemetry has it.
    public let name: String
    /// The value.
    public let value: String

    /// Pairs a name with a value.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
