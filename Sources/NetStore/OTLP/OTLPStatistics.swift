/// What an exporter has done since it was created.
public struct OTLPStatistics: Sendable, Hashable {
    /// Spans or log records that the collector has accepted.
    public var sent = 0
    /// Those that it has rejected for good: a part of a request, or all of it.
    public var rejected = 0
    /// Entries that were deleted before they were sent.
    public var missed = 0
    /// Entries that don't meet the filter, and requests of exporters.
    public var skipped = 0
    /// Requests to the collector, retries included.
    public var requests = 0
    /// Requests that had to be sent again.
    public var retries = 0
    /// The bytes of the bodies of those requests, as they were sent.
    public var bytes: Int64 = 0
    /// The number of the last entry that was settled; 0 before the first.
    public var position: Int64 = 0
    /// What went wrong last, with what the collector said; nil if nothing has.
    public var lastError: String?

    /// Creates statistics in which nothing has happened.
    public init() {}
}
