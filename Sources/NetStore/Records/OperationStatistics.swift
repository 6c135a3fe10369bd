/// What the stored calls of one operation came to.
public struct OperationStatistics: Sendable, Hashable {
    /// The operation; nil for the calls without a name.
    public var operation: String?
    /// All calls, running ones included.
    public var count: Int
    /// Calls by outcome.
    public var completed, rejected, failed, cancelled: Int
    /// Attempts of all calls.
    public var attempts: Int
    /// Durations of the ended calls: the smallest one that at least that share of them does not exceed (the nearest
    /// rank, no interpolation); nil before a call has ended.
    public var p50, p95, p99: Duration?
    /// Body bytes of all calls.
    public var requestBytes, responseBytes: Int64

    /// Calls that were rejected or failed.
    public var failures: Int { rejected + failed }
    /// Calls that have not ended.
    public var running: Int { count - completed - failures - cancelled }
}

/// A slow call and where its time went.
public struct SlowCall: Sendable, Hashable {
    /// The call.
    public var call: CallRecord
    /// Its last attempt; nil when none was recorded.
    public var attempt: AttemptRecord?

    /// How the last attempt's time divides; nil without an attempt.
    public var phases: AttemptPhases? { attempt?.phases }
}

/// A call with everything stored of it.
public struct CallDetail: Sendable, Hashable {
    /// The call.
    public var call: CallRecord
    /// Its attempts, in order.
    public var attempts: [AttemptRecord]
    /// Its events, in order.
    public var events: [EventRecord]
}
