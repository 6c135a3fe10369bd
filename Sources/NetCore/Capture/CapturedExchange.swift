public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One request as it was sent, and its response or failure: the redacted content of a ``CapturedAttempt``.
public struct CapturedExchange: Sendable, Hashable {
    /// The request as it was sent.
    public struct Request: Sendable, Hashable {
        /// The method.
        public var method: HTTPRequest.Method
        /// The URL; `ws` or `wss` for the opening handshake of a WebSocket.
        public var url: String
        /// The headers that the transport received, with cookies and credentials. Headers that the transport adds, such
        /// as `Host`, aren't included.
        public var headers: HTTPFields
        /// The body.
        public var body: CapturedBody

        package init(
            method: HTTPRequest.Method, url: String, headers: HTTPFields = [:], body: CapturedBody = CapturedBody()
        ) {
            self.method = method
            self.url = url
            self.headers = headers
            self.body = body
        }
    }

    /// The response as it was received.
    public struct Response: Sendable, Hashable {
        /// The status.
        public var status: HTTPResponse.Status
        /// The HTTP version: `1.0`, `1.1` or `2`; empty if unknown.
        public var version: String
        /// The headers as received, without `Content-Encoding` if the body was decoded before it was recorded.
        public var headers: HTTPFields
        /// The body.
        public var body: CapturedBody
        /// The trailer fields; nil if there are none, or if the body wasn't read to its end.
        public var trailers: HTTPFields?
        /// The recording of the WebSocket that a response 101 opened.
        package var socket: RecordedSocket?

        package init(
            status: HTTPResponse.Status, version: String = "", headers: HTTPFields = [:],
            body: CapturedBody = CapturedBody(), trailers: HTTPFields? = nil, socket: RecordedSocket? = nil
        ) {
            self.status = status
            self.version = version
            self.headers = headers
            self.body = body
            self.trailers = trailers
            self.socket = socket
        }
    }

    /// The reason why no response arrived, or why a body ended early.
    public struct Failure: Sendable, Hashable {
        /// The raw value of a ``NetError/Code``.
        public var code: String
        /// The message of the error.
        public var message: String

        package init(code: String, message: String) {
            self.code = code
            self.message = message
        }

        init(_ error: NetError) { self.init(code: error.code.rawValue, message: error.message) }
    }

    /// The outcome of an attempt.
    public enum Outcome: Sendable, Hashable {
        /// The head of a response arrived; its body may have ended early.
        case response(Response)
        /// No response arrived.
        case failure(Failure)
    }

    /// The wall-clock time at which the request was sent.
    public var recordedAt: Date
    /// The time until the head of the response arrived, or the attempt failed.
    public var duration: Duration
    /// The request.
    public var request: Request
    /// The outcome.
    public var outcome: Outcome
    /// The metrics of the transport; nil if it has none, if no response arrived, or if the exchange was read from a
    /// cassette. Ignored by `==`.
    package var metrics: TransferMetrics?

    package init(
        recordedAt: Date, duration: Duration, request: Request, outcome: Outcome, metrics: TransferMetrics? = nil
    ) {
        self.recordedAt = recordedAt
        self.duration = duration
        self.request = request
        self.outcome = outcome
        self.metrics = metrics
    }

    public static func == (left: CapturedExchange, right: CapturedExchange) -> Bool {
        left.recordedAt == right.recordedAt && left.duration == right.duration && left.request == right.request
            && left.outcome == right.outcome
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(recordedAt)
        hasher.combine(duration)
        hasher.combine(request)
        hasher.combine(outcome)
    }

    /// The response; nil if none arrived.
    public var response: Response? {
        if case .response(let response) = outcome { response } else { nil }
    }

    /// The reason why no response arrived; nil if one arrived.
    public var failure: Failure? {
        if case .failure(let failure) = outcome { failure } else { nil }
    }
}

extension CapturedExchange.Request: CustomReflectable {
    /// The method, the URL and the headers without secrets, and the size of the body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "method": method.rawValue, "url": Printed.url(url), "headers": Printed.headers(headers), "body": body,
            ], displayStyle: .struct)
    }
}

extension CapturedExchange.Response: CustomReflectable {
    /// The status, the headers and trailers without secrets, and the size of the body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "status": status.code, "version": version, "headers": Printed.headers(headers), "body": body,
                "trailers": trailers.map(Printed.headers) as Any,
            ], displayStyle: .struct)
    }
}
