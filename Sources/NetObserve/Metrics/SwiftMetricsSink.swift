#if Metrics
public import CoreMetrics
internal import Synchronization

/// Passes measurements to swift-metrics: histograms of seconds as `Timer`, other histograms as `Recorder`, counters as
/// `Counter`, up-down counters as `Meter`, and labels as dimensions.
///
/// Available with the trait `Metrics`.
///
///     let client = HTTPClient(baseURL: "https://api.example.com") {
///         $0.listeners = [MetricsListener(SwiftMetricsSink())]
///     }
///
/// At most ``seriesLimit`` combinations of a name and labels are kept; further measurements are passed without labels.
public final class SwiftMetricsSink: MetricsSink {
    /// The maximum number of combinations of a name and labels.
    public static let seriesLimit = 1000

    private enum Instrument: Sendable {
        case counter(any CounterHandler)
        case meter(any MeterHandler)
        case timer(any TimerHandler)
        case recorder(any RecorderHandler)
    }

    private struct Key: Hashable {
        let name: String
        let labels: [MetricLabel]
    }

    private let factory: any MetricsFactory
    private let instruments = Mutex<[Key: Instrument]>([:])

    /// Creates a sink that uses a swift-metrics factory. Default: the one that `MetricsSystem` was bootstrapped with.
    public init(factory: any MetricsFactory = MetricsSystem.factory) {
        self.factory = factory
    }

    public func add(_ amount: Int64, to metric: Metric, _ labels: [MetricLabel]) {
        switch instrument(metric, labels) {
        case .counter(let counter): counter.increment(by: amount)
        case .meter(let meter):
            if amount < 0 { meter.decrement(by: Double(-amount)) } else { meter.increment(by: Double(amount)) }
        case .timer, .recorder: break
        }
    }

    public func record(_ value: Double, in metric: Metric, _ labels: [MetricLabel]) {
        switch instrument(metric, labels) {
        case .timer(let timer): timer.recordNanoseconds(Int64(exactly: (value * 1e9).rounded()) ?? .max)
        case .recorder(let recorder): recorder.record(value)
        case .counter, .meter: break
        }
    }

    private func instrument(_ metric: Metric, _ labels: [MetricLabel]) -> Instrument {
        instruments.withLock { instruments in
            var key = Key(name: metric.name, labels: labels)
            if let known = instruments[key] { return known }
            if instruments.count >= Self.seriesLimit {
                key = Key(name: metric.name, labels: [])
                if let known = instruments[key] { return known }
            }
            let new = make(metric, key.labels.map { ($0.name, $0.value) })
            instruments[key] = new
            return new
        }
    }

    private func make(_ metric: Metric, _ dimensions: [(String, String)]) -> Instrument {
        switch metric.kind {
        case .counter: .counter(factory.makeCounter(label: metric.name, dimensions: dimensions))
        case .upDownCounter: .meter(factory.makeMeter(label: metric.name, dimensions: dimensions))
        case .histogram where metric.unit == "s":
            .timer(factory.makeTimer(label: metric.name, dimensions: dimensions))
        case .histogram:
            .recorder(factory.makeRecorder(label: metric.name, dimensions: dimensions, aggregate: true))
        }
    }
}
#endif
