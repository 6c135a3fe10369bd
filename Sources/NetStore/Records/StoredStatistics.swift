/// The totals of a group of calls and jobs: of an operation, a host, an hour or a run.
public struct StoredStatistics: Sendable, Hashable {
    /// The property that groups calls.
    public enum Grouping: String, Sendable, Hashable, CaseIterable {
        /// Puts all calls into one group.
        case all
        /// The operation.
        case operation
        /// The host, with its port.
        case host
        /// The hour in which the call began, UTC.
        case hour
        /// The run of the program.
        case run
    }

    /// The group: the name of the operation or host, the beginning of the hour as `2026-01-31T12:00:00Z`, or the number
    /// of the run. Nil for calls without an operation or host, for jobs, which have no operation, and for
    /// ``Grouping/all``.
    public var group: String?
    /// The number of finished calls.
    public var calls: Int
    /// The number of finished jobs: downloads, uploads and outbox items. The calls of a job are counted too, as calls.
    public var jobs = 0
    /// The numbers of calls and jobs by outcome. Those that were cut off aren't counted.
    public var completed, rejected, failed, cancelled: Int
    /// The number of calls with retries.
    public var retried: Int
    /// The number of calls whose last attempt reused a connection.
    public var reused: Int
    /// The number of attempts of all calls.
    public var attempts: Int
    /// The total size of the bodies in bytes.
    public var requestBytes, responseBytes: Int64
    /// The duration percentiles; nil if there are no calls. From roll-ups, each is within 5 %; exact statistics return
    /// a duration that occurred (the nearest rank).
    public var p50, p95, p99: Duration?

    /// The share of calls and jobs that were rejected or failed; 0 if there are none.
    public var errorRate: Double { calls + jobs == 0 ? 0 : Double(rejected + failed) / Double(calls + jobs) }
    /// The share of calls that were retried; 0 without calls.
    public var retryRate: Double { rate(retried) }
    /// The share of calls whose last attempt reused a connection; 0 without calls.
    public var reuseRate: Double { rate(reused) }

    private func rate(_ count: Int) -> Double { calls == 0 ? 0 : Double(count) / Double(calls) }
}
