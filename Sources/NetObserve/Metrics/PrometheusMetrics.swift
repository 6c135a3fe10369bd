internal import Synchronization

/// Collects metrics and renders them in the Prometheus text format, version 0.0.4.
///
///     let metrics = PrometheusMetrics()
///     let client = HTTPClient(baseURL: "https://api.example.com") { $0.listeners = [MetricsListener(metrics)] }
///     print(metrics.text())  // serve it at /metrics as text/plain; version=0.0.4
///
/// A metric has at most ``seriesLimit`` sets of labels. Further measurements go into one additional series, whose
/// only label is `otel_metric_overflow`.
public final class PrometheusMetrics: MetricsSink {
    /// The maximum number of label sets of one metric.
    public static let seriesLimit = 1000

    private let families = Mutex<[Metric: PrometheusFamily]>([:])

    /// Creates an empty collection of metrics.
    public init() {}

    public func add(_ amount: Int64, to metric: Metric, _ labels: [MetricLabel]) {
        families.withLock { $0[metric, default: PrometheusFamily(metric)].add(Double(amount), labels) }
    }

    public func record(_ value: Double, in metric: Metric, _ labels: [MetricLabel]) {
        families.withLock { $0[metric, default: PrometheusFamily(metric)].add(value, labels) }
    }

    /// Returns all metrics in the Prometheus text format, sorted by name.
    public func text() -> String {
        families.withLock { Array($0.values) }.sorted { $0.name < $1.name }.map { $0.text() }.joined()
    }
}

/// A metric with all of its series.
struct PrometheusFamily: Sendable {
    private struct Series: Sendable {
        var sum = 0.0
        var count = 0
        /// For each bound of a histogram, the number of values up to it and above the previous one.
        var buckets: [Int] = []
    }

    let name: String
    private let metric: Metric
    private var series: [[MetricLabel]: Series] = [:]
    private static let overflow = [MetricLabel("otel.metric.overflow", "true")]

    init(_ metric: Metric) {
        self.metric = metric
        var name = Self.identifier(metric.name)
        switch metric.unit {
        case "s": name += "_seconds"
        case "By": name += "_bytes"
        default: break
        }
        if metric.kind == .counter { name += "_total" }
        self.name = name
    }

    mutating func add(_ value: Double, _ labels: [MetricLabel]) {
        guard value.isFinite else { return }
        let isNew = series[labels] == nil
        let labels = isNew && series.count >= PrometheusMetrics.seriesLimit ? Self.overflow : labels
        var one = series[labels] ?? Series()
        one.sum += value
        one.count += 1
        if case .histogram(let bounds) = metric.kind {
            if one.buckets.isEmpty { one.buckets = Array(repeating: 0, count: bounds.count) }
            if let place = bounds.firstIndex(where: { value <= $0 }) { one.buckets[place] += 1 }
        }
        series[labels] = one
    }

    func text() -> String {
        var text = "# HELP \(name) \(Self.escaped(metric.summary, quotes: false))\n"
        switch metric.kind {
        case .counter: text += "# TYPE \(name) counter\n"
        case .upDownCounter: text += "# TYPE \(name) gauge\n"
        case .histogram: text += "# TYPE \(name) histogram\n"
        }
        let sorted = series.map { (labels: Self.text($0.key), value: $0.value) }.sorted { $0.labels < $1.labels }
        for (labels, one) in sorted { text += lines(labels, one) }
        return text
    }

    private func lines(_ labels: String, _ one: Series) -> String {
        let braced = labels.isEmpty ? "" : "{\(labels)}"
        guard case .histogram(let bounds) = metric.kind else { return "\(name)\(braced) \(Self.number(one.sum))\n" }
        let comma = labels.isEmpty ? "" : ","
        var text = ""
        var count = 0
        for (bound, bucket) in zip(bounds, one.buckets) {
            count += bucket
            text += "\(name)_bucket{\(labels)\(comma)le=\"\(Self.number(bound))\"} \(count)\n"
        }
        text += "\(name)_bucket{\(labels)\(comma)le=\"+Inf\"} \(one.count)\n"
        return text + "\(name)_sum\(braced) \(Self.number(one.sum))\n\(name)_count\(braced) \(one.count)\n"
    }

    private static func text(_ labels: [MetricLabel]) -> String {
        labels.map { "\(identifier($0.name))=\"\(escaped($0.value, quotes: true))\"" }.joined(separator: ",")
    }

    /// Returns a number as text; integers have no fraction.
    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    /// Returns a valid Prometheus identifier: letters, digits and `_`, not starting with a digit.
    private static func identifier(_ name: String) -> String {
        let text = String(
            decoding: name.utf8.map { byte in
                (48...57).contains(byte) || (97...122).contains(byte | 0x20) ? byte : UInt8(ascii: "_")
            }, as: UTF8.self)
        return text.first?.isNumber ?? true ? "_" + text : text
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
