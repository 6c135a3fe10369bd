public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A call that is over, as one value: what was asked, how it ended, and every attempt with its times.
///
/// Get one for each call from a ``TraceListener`` or from `HTTPClient.traces`. URLs and texts are redacted.
///
///     let listener = TraceListener { trace in
///         if trace.duration > .seconds(1) { print(trace) }
///     }
public struct CallTrace: Sendable {
    /// The call.
    public let call: CallID
    /// The method.
    public let method: HTTPRequest.Method
    /// The redacted URL.
    public let url: String
    /// What the request says of itself.
    public let metadata: RequestMetadata
    /// When it began, by the wall clock.
    public let date: Date
    /// From its beginning to the end of its body.
    public internal(set) var duration: Duration
    /// How it ended.
    public internal(set) var outcome: ActivityEvent.Outcome
    /// The bytes of its body; nil where nobody knows.
    public internal(set) var requestBytes: Int64?
    /// The bytes of the answer's body; nil where nobody counted them.
    public internal(set) var responseBytes: Int64?
    /// Whether the body was handed out while it arrived.
    public internal(set) var isStreamed = false
    /// What was sent, in order: repetitions, and the hops of redirects. Empty where nothing was, as with an answer from a
    /// middleware.
    public internal(set) var attempts: [Attempt] = []
    /// What a cache decided, in order. Empty without one.
    public internal(set) var cacheDecisions: [ActivityEvent.CacheDecision] = []

    /// The trace that the last attempt was part of, by the `traceparent` it sent; nil where it sent none.
    public var traceID: TraceParent.TraceID? { attempts.last?.trace?.traceID }
    /// The status of the answer; nil where none came.
    public var status: Int? { outcome.status ?? attempts.last?.status }
    /// Why it failed; nil where it did not.
    public var error: NetError? { outcome.error }
    /// How many redirects were followed.
    public var redirects: Int { attempts.count(where: \.followsRedirect) }
    /// How many times it was repeated.
    public var retries: Int { attempts.count { $0.retry != nil } }
}

extension CallTrace {
    /// Why an attempt was made, and how long the call waited before it.
    public struct Retry: Sendable, Hashable {
        /// What the attempt before it brought: `status 503`, `connectionLost`.
        public let reason: String
        /// The wait.
        public let delay: Duration
    }

    /// One request that was sent.
    public struct Attempt: Sendable {
        /// Counted from 1; the hops of a redirect have the same one.
        public let number: Int
        /// The method, which a redirect may have changed.
        public let method: HTTPRequest.Method
        /// The redacted URL, which a redirect or a middleware may have changed.
        public let url: String
        /// When it began, since the call did; nil where that is not known.
        public let start: Duration?
        /// When it was over, body included, since the call began.
        public let end: Duration
        /// The status, where a head came.
        public let status: Int?
        /// Why it failed.
        public let error: NetError?
        /// The figures of the transport: protocol, address, reuse, bytes, and the ``TransferMetrics/phases``.
        public let metrics: TransferMetrics?
        /// What it sent as `traceparent`; nil where it sent none.
        public let trace: TraceParent?
        /// Why it was made; nil for the first one and for redirects.
        public let retry: Retry?
        /// Whether the one before was a redirect that led here.
        public let followsRedirect: Bool

        /// How long it took.
        public var duration: Duration? { start.map { end - $0 } ?? metrics?.total }
    }
}

extension CallTrace: CustomStringConvertible {
    /// A line for the call, and one for each attempt.
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
    /// `2 (status 503, 0.500 s later) GET https://host/x: 200 in 0.030 s, HTTP/2, waiting 0.020 s`.
    public var description: String {
        var text = "\(number)"
        if let retry { text += " (\(retry.reason), \(retry.delay.seconds(places: 3)) s later)" }
        if followsRedirect { text += " (redirected)" }
        text += " \(method.rawValue) \(url): \(error?.code.rawValue ?? status.map(String.init) ?? "no response")"
        if let duration { text += " in \(duration.seconds(places: 3)) s" }
        guard let metrics else { return text }
        if !metrics.version.isEmpty { text += ", HTTP/\(metrics.version)" }
        text += metrics.isReused ? ", used connection" : ", new connection"
        for (phase, time) in metrics.phases.all { text += ", \(phase) \(time.seconds(places: 3)) s" }
        return text
    }
}
