/// A destination for measurements: Prometheus text (``PrometheusMetrics``), statsd lines (``StatsDMetrics``),
/// swift-metrics (`SwiftMetricsSink`, with the trait `Metrics`), or a custom one.
///
///     struct Printing: MetricsSink {
///         func add(_ amount: Int64, to metric: Metric, _ labels: [MetricLabel]) { print(metric.name, amount) }
///         func record(_ value: Double, in metric: Metric, _ labels: [MetricLabel]) { print(metric.name, value) }
///     }
///
/// Both functions are called on the thread of the event, which can be any thread. They must return immediately and
/// never block.
public protocol MetricsSink: Sendable {
    /// Adds an amount to a counter; negative amounts are only for up-down counters.
    func add(_ amount: Int64, to metric: Metric, _ labels: [MetricLabel])
    /// Records one value in a histogram, in the metric's unit.
    func record(_ value: Double, in metric: Metric, _ labels: [MetricLabel])
}

/// A name and value that describe a measurement, such as `http.request.method` and `GET`.
public struct MetricLabel: Sendable, Hashable {
    /// The name, as in OpenTelemetry.
    public let name: String
    /// The value.
    public let value: String

    /// Creates a label.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
