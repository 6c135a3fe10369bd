public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Something that happened to a call. The URL and every text in it are redacted.
///
/// A call's events come in order: `started`, then for each attempt `attemptEnded` (and `retrying` between two),
/// `cache` for what a cache decided, `responded` when a head is handed to a streaming reader, and exactly one `ended`. Each
/// hop of a redirect is an attempt
/// of the same number with the URL it went to. An answer that was not accepted ends as `rejected`, or as `failed` with an
/// error that holds it; one that could not be decoded as `failed` with an error of the phase `.decoding`.
public struct ActivityEvent: Sendable {
    /// What happened.
    public enum Kind: Sendable {
        /// The call began; the size of its body where it is known.
        case started(requestBytes: Int64?)
        /// One attempt is over.
        case attemptEnded(Attempt)
        /// Another attempt follows after a pause. Told before the pause.
        case retrying(attempt: Int, after: Duration, reason: String)
        /// A cache decided something.
        case cache(CacheDecision)
        /// A head came; the body is still arriving.
        case responded(status: Int)
        /// The call is over. No event of the call follows.
        case ended(Outcome)
    }

    /// One attempt: what it brought and what it cost.
    public struct Attempt: Sendable {
        /// Counted from 1.
        public var number: Int
        /// The status, where a head came.
        public var status: Int?
        /// Why it failed.
        public var error: NetError?
        /// The transport's figures.
        public var metrics: TransferMetrics?
        /// The method that was sent, which a redirect may have changed. Default nil.
        public var method: HTTPRequest.Method?
        /// The redacted URL that it was sent to, which a redirect or a middleware may have changed. Default nil.
        public var url: String?
        /// When it began, since the call did. Default nil.
        public var start: Duration?
        /// What the attempt sent as `traceparent`; nil where it sent none.
        public var trace: TraceParent?

        /// Puts the parts together.
        public init(
            number: Int, status: Int? = nil, error: NetError? = nil, metrics: TransferMetrics? = nil,
            trace: TraceParent? = nil
        ) {
            self.number = number
            self.status = status
            self.error = error
            self.metrics = metrics
            self.trace = trace
        }
    }

    /// How a call ended.
    public enum Outcome: Sendable {
        /// The response was read as the request's response type.
        case completed(status: Int, responseBytes: Int64)
        /// The server answered with a status that the request does not accept.
        case rejected(status: Int, responseBytes: Int64)
        /// No answer, or one that could not be read.
        case failed(NetError)
        /// The caller cancelled, or dropped the body before its end.
        case cancelled
    }

    /// The call.
    public let call: CallID
    /// Counts the events of the call, from 1.
    public let sequence: Int
    /// The wall clock.
    public let date: Date
    /// Since the call began.
    public let elapsed: Duration
    /// The method.
    public let method: HTTPRequest.Method
    /// The redacted URL.
    public let url: String
    /// What the request says of itself.
    public let metadata: RequestMetadata
    /// What happened.
    public let kind: Kind

    /// Puts the parts together; `url` must be redacted.
    public init(
        call: CallID, sequence: Int, date: Date, elapsed: Duration, method: HTTPRequest.Method, url: String,
        metadata: RequestMetadata = .none, kind: Kind
    ) {
        self.call = call
        self.sequence = sequence
        self.date = date
        self.elapsed = elapsed
        self.method = method
        self.url = url
        self.metadata = metadata
        self.kind = kind
    }
}
