/// What the calls of a group came to: of an operation, a host, an hour or a run.
public struct StoredStatistics: Sendable, Hashable {
    /// What calls are grouped by.
    public enum Grouping: String, Sendable, Hashable, CaseIterable {
        /// All calls are one group.
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

    /// The group: the name of the operation or host, the beginning of the hour as `2026-01-31T12:00:00Z`, the number of the
    /// run. Nil for the calls that have no operation or host, and for ``Grouping/all``.
    public var group: String?
    /// Finished calls.
    public var calls: Int
    /// Calls by outcome. Calls that were cut off aren't counted.
    public var completed, rejected, failed, cancelled: Int
    /// Calls that were retried.
    public var retried: Int
    /// Calls whose last attempt used an open connection.
    public var reused: Int
    /// Attempts of all calls.
    public var attempts: Int
    /// The bytes of all bodies.
    public var requestBytes, responseBytes: Int64
    /// Durations that so many of 100 calls don't exceed; nil without calls. From roll-ups, each is within 5 %; on request, it's
    /// a duration that occurred (the nearest rank).
    public var p50, p95, p99: Duration?

    /// The share of calls that were rejected or failed; 0 without calls.
    public var errorRate: Double { rate(rejected + failed) }
    /// The share of calls that were retried; 0 without calls.
    public var retryRate: Double { rate(retried) }
    /// The share of calls whose last attempt used an open connection; 0 without calls.
    public var reuseRate: Double { rate(reused) }

    private func rate(_ count: Int) -> Double { calls == 0 ? 0 : Double(count) / Double(calls) }
}
