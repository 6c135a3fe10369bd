/// Formats each measurement as a statsd line and passes it to your own function, which sends it, usually by UDP to port
/// 8125.
///
/// Durations become timings (`ms`), sizes histograms (`h`), counters counts (`c`), and up-down counters relative gauges
/// (`g`, with a sign). Labels follow as tags (`|#name:value`), as DogStatsD, Telegraf and Vector read them.
///
///     let metrics = StatsDMetrics { line in print(line) }  // http.client.request.duration:12.5|ms|#http.request.method:GET
public struct StatsDMetrics: MetricsSink {
    private let prefix: String
    private let sendsTags: Bool
    private let send: @Sendable (String) -> Void

    /// Creates a sink that passes each line to `send`.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of each name, such as `shop.`. Default empty.
    ///   - sendsTags: True to send labels as tags, which plain statsd doesn't support. Default true.
    ///   - send: Sends a line, which has no line break; must return immediately.
    public init(prefix: String = "", sendsTags: Bool = true, _ send: @escaping @Sendable (String) -> Void) {
        self.prefix = prefix
        self.sendsTags = sendsTags
        self.send = send
    }

    public func add(_ amount: Int64, to metric: Metric, _ labels: [MetricLabel]) {
        if metric.kind == .upDownCounter {
            line(metric, amount < 0 ? "\(amount)" : "+\(amount)", "g", labels)
        } else {
            line(metric, "\(amount)", "c", labels)
        }
    }

    public func record(_ value: Double, in metric: Metric, _ labels: [MetricLabel]) {
        guard value.isFinite else { return }
        if metric.unit == "s" {
            line(metric, "\((value * 1e6).rounded() / 1e3)", "ms", labels)
        } else {
            line(metric, Int64(exactly: value).map(String.init) ?? "\(value)", "h", labels)
        }
    }

    private func line(_ metric: Metric, _ value: String, _ type: String, _ labels: [MetricLabel]) {
        var line = "\(Self.safe(prefix + metric.name)):\(value)|\(type)"
        if sendsTags, !labels.isEmpty {
            line += "|#" + labels.map { "\(Self.safe($0.name)):\(Self.safe($0.value))" }.joined(separator: ",")
        }
        send(line)
    }

    /// Returns the text with each character that would end a name or value replaced by `_`.
    private static func safe(_ text: String) -> String {
        String(decoding: text.utf8.map { ":|#@,\n\r".utf8.contains($0) ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
    }
}
