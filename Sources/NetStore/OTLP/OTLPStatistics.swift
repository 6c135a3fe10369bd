/// The totals of an exporter since it was created.
public struct OTLPStatistics: Sendable, Hashable {
    /// The number of spans or log records that the collector has accepted.
    public var sent = 0
    /// The number of spans or log records rejected for good, in part of a request or all of it.
    public var rejected = 0
    /// The number of entries that were deleted before they were sent.
    public var missed = 0
    /// The number of entries that don't match the filter, and of exporter requests.
    public var skipped = 0
    /// The number of requests to the collector, including retries.
    public var requests = 0
    /// The number of retries.
    public var retries = 0
    /// The size of the bodies of those requests in bytes, as sent.
    public var bytes: Int64 = 0
    /// The number of the last settled entry; 0 before the first.
    public var position: Int64 = 0
    /// The last problem, including the collector's message; nil if there was none.
    public var lastError: String?

    /// Creates statistics with all counts at zero.
    public init() {}
}
