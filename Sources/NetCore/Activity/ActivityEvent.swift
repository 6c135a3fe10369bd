public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An event of a call. The URL and all texts in it are redacted.
///
/// The events of a call come in order: `started`, then for each attempt `attemptEnded` (with `retrying` between two),
/// `cache` for each decision of a cache, `responded` when a streaming consumer receives the head, and exactly one
/// `ended`. Each hop of a redirect is an attempt with its own number and the URL that it was sent to. A request that
/// can't be prepared is a call too: `started`, then `ended`, with the path or URL as written. A response that isn't
/// accepted ends the call as `rejected`, or as `failed` with an error that contains the response. A response that can't
/// be decoded ends it as `failed` with an error of the phase `.decoding`.
public struct ActivityEvent: Sendable {
    /// The kind of an event, with its details.
    public enum Kind: Sendable {
        /// The call started. `requestBytes` is the size of its body, nil if unknown.
        case started(requestBytes: Int64?)
        /// One attempt ended.
        case attemptEnded(Attempt)
        /// Another attempt follows after a pause. Reported before the pause.
        case retrying(attempt: Int, after: Duration, reason: String)
        /// A cache made a decision.
        case cache(CacheDecision)
        /// The head of the response arrived; the body is still arriving.
        case responded(status: Int)
        /// The call ended. No event of the call follows.
        case ended(Outcome)
    }

    /// One attempt: its result and its metrics.
    public struct Attempt: Sendable {
        /// The number of the attempt, counted from 1 over retries, new credentials and redirects.
        public var number: Int
        /// The status; nil if no head arrived.
        public var status: Int?
        /// The error; nil if the attempt didn't fail.
        public var error: NetError?
        /// The metrics of the transport; nil if there are none.
        public var metrics: TransferMetrics?
        /// The method that was sent; a redirect may have changed it. Default nil.
        public var method: HTTPRequest.Method?
        /// The redacted URL that the attempt was sent to; a redirect or a middleware may have changed it. Default nil.
        public var url: String?
        /// The time from the start of the call to the start of the attempt. Default nil.
        public var start: Duration?
        /// The `traceparent` that the attempt sent; nil if it sent none.
        public var trace: TraceParent?

        /// Creates an attempt.
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

    /// The outcome of a call.
    public enum Outcome: Sendable {
        /// The response was read as the request's response type.
        case completed(status: Int, responseBytes: Int64)
        /// The server responded with a status that the request doesn't accept.
        case rejected(status: Int, responseBytes: Int64)
        /// There was no response, or it couldn't be read.
        case failed(NetError)
        /// The caller cancelled the call, or dropped the body before its end.
        case cancelled
    }

    /// The ID of the call.
    public let call: CallID
    /// The number of the event within its call, counted from 1.
    public let sequence: Int
    /// The wall-clock time of the event.
    public let date: Date
    /// The time since the call started.
    public let elapsed: Duration
    /// The request method.
    public let method: HTTPRequest.Method
    /// The redacted URL.
    public let url: String
    /// The metadata of the request.
    public let metadata: RequestMetadata
    /// The kind of the event, with its details.
    public let kind: Kind

    /// Creates an event; `url` must already be redacted.
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
