public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A call that has ended, as one value: the request, the outcome, and every attempt with its timing.
///
/// Get one for each call from a ``TraceListener`` or from `HTTPClient.traces`. URLs and texts are redacted.
///
///     let listener = TraceListener { trace in
///         if trace.duration > .seconds(1) { print(trace) }
///     }
public struct CallTrace: Sendable {
    /// The ID of the call.
    public let call: CallID
    /// The request method.
    public let method: HTTPRequest.Method
    /// The redacted URL.
    public let url: String
    /// The metadata of the request.
    public let metadata: RequestMetadata
    /// The wall-clock time at which the call started.
    public let date: Date
    /// The time from the start of the call to the end of its body.
    public internal(set) var duration: Duration
    /// The outcome of the call.
    public internal(set) var outcome: ActivityEvent.Outcome
    /// The number of bytes in the request's body; nil if unknown.
    public internal(set) var requestBytes: Int64?
    /// The number of bytes in the response's body; nil if they weren't counted.
    public internal(set) var responseBytes: Int64?
    /// True if the body was delivered while it arrived.
    public internal(set) var isStreamed = false
    /// The requests that were sent, in order: retries and the hops of redirects. Empty if no request was sent, such as
    /// when a middleware created the response.
    public internal(set) var attempts: [Attempt] = []
    /// The decisions of a cache, in order. Empty without a cache.
    public internal(set) var cacheDecisions: [ActivityEvent.CacheDecision] = []

    /// The ID of the trace that the last attempt belonged to, from its `traceparent`; nil if it sent none.
    public var traceID: TraceParent.TraceID? { attempts.last?.trace?.traceID }
    /// The status of the response; nil if there was none.
    public var status: Int? { outcome.status ?? attempts.last?.status }
    /// The error; nil if the call didn't fail.
    public var error: NetError? { outcome.error }
    /// The number of redirects that were followed.
    public var redirects: Int { attempts.count(where: \.followsRedirect) }
    /// The number of retries.
    public var retries: Int { attempts.count { $0.retry != nil } }
}

extension CallTrace {
    /// The reason for a retry, and the wait before it.
    public struct Retry: Sendable, Hashable {
        /// The result of the previous attempt: `status 503`, `connectionLost`.
        public let reason: String
        /// The wait before the retry.
        public let delay: Duration
    }

    /// One request that was sent.
    public struct Attempt: Sendable {
        /// The number of the attempt, counted from 1 over retries, new credentials and redirects.
        public let number: Int
        /// The method, which a redirect may have changed.
        public let method: HTTPRequest.Method
        /// The redacted URL, which a redirect or a middleware may have changed.
        public let url: String
        /// The time from the start of the call to the start of the attempt; nil if unknown.
        public let start: Duration?
        /// The time from the start of the call to the end of the attempt, body included.
        public let end: Duration
        /// The status; nil if no head arrived.
        public let status: Int?
        /// The error; nil if the attempt didn't fail.
        public let error: NetError?
        /// The metrics of the transport: protocol, address, reuse, bytes, and the ``TransferMetrics/phases``; nil if
        /// there are none.
        public let metrics: TransferMetrics?
        /// The `traceparent` that the attempt sent; nil if it sent none.
        public let trace: TraceParent?
        /// The reason for the attempt if it is a retry; nil for the first attempt and for redirects.
        public let retry: Retry?
        /// True if the previous attempt was a redirect that led to this one.
        public let followsRedirect: Bool

        /// The duration of the attempt; nil if unknown.
        public var duration: Duration? { start.map { end - $0 } ?? metrics?.total }
    }
}

extension CallTrace: CustomStringConvertible {
    /// One line for the call, and one for each attempt.
    public var description: String {
        var text = (metadata.displayName.map { "\($0) " } ?? "") + "\(method.rawValue) \(url): \(outcome.name)"
        if let status { text += " \(status)" }
        if let responseBytes { text += ", \(responseBytes) B" }
        text += " in \(duration.seconds(places: 3)) s"
        if let error { text += ": \(error.code) while \(error.phase.rawValue): \(error.message)" }
        if !cacheDecisions.isEmpty { text += "\n  cache: " + cacheDecisions.map(\.description).joined(separator: ", ") }
        return attempts.reduce(text) { $0 + "\n  \($1)" }
    }
}

extension CallTrace.Attempt: CustomStringConvertible {
    /// Example: `2 (status 503, 0.500 s later) GET https://host/x: 200 in 0.030 s, HTTP/2, waiting 0.020 s`.
    public var description: String {
        var text = "\(number)"
        if let retry { text += " (\(retry.reason), \(retry.delay.seconds(places: 3)) s later)" }
        if followsRedirect { text += " (redirected)" }
        text += " \(method.rawValue) \(url): \(error?.code.rawValue ?? status.map(String.init) ?? "no response")"
        if let duration { text += " in \(duration.seconds(places: 3)) s" }
        guard let metrics else { return text }
        if !metrics.version.isEmpty { text += ", HTTP/\(metrics.version)" }
        text += metrics.isReused ? ", reused connection" : ", new connection"
        for (phase, time) in metrics.phases.all { text += ", \(phase) \(time.seconds(places: 3)) s" }
        return text
    }
}
