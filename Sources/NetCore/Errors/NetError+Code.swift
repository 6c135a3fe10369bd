extension NetError {
    /// What happened: an open set, so that new codes break no caller.
    public struct Code: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The request cannot be sent as it is: a bad URL, field, path or option.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// The request body could not be encoded.
        public static let encoding = Code(rawValue: "encoding")
        /// The host name has no address.
        public static let dns = Code(rawValue: "dns")
        /// No connection: refused, unreachable, or the proxy would not.
        public static let connect = Code(rawValue: "connect")
        /// TLS could not be agreed, or the certificate is not trusted.
        public static let tls = Code(rawValue: "tls")
        /// The connection ended before the response was whole.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// A time-out passed; the message says which.
        public static let timeout = Code(rawValue: "timeout")
        /// The task was cancelled, or the client shut down the call.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The peer broke the protocol.
        public static let protocolViolation = Code(rawValue: "protocolViolation")
        /// The message's length cannot be trusted: a `Content-Length` that is no number, does not fit 64 bits or is given
        /// twice with different values, or a chunk that is none (RFC 9112 section 6.3).
        public static let invalidFraming = Code(rawValue: "invalidFraming")
        /// The header or trailer section grew past its limit.
        public static let headersTooLarge = Code(rawValue: "headersTooLarge")
        /// Interim (1xx) responses came without end.
        public static let tooManyInterimResponses = Code(rawValue: "tooManyInterimResponses")
        /// A body grew past its limit.
        public static let bodyTooLarge = Code(rawValue: "bodyTooLarge")
        /// The status did not pass validation.
        public static let unacceptableStatus = Code(rawValue: "unacceptableStatus")
        /// The response could not be read as the request's response type.
        public static let decoding = Code(rawValue: "decoding")
        /// Who sends the request could not be proved, or who answers: a token endpoint refused a grant (RFC 6749 section 5.2), or
        /// a server could not prove that it knows the password (`rspauth` of RFC 7616 section 3.5). Not repeated.
        public static let authentication = Code(rawValue: "authentication")
        /// A middleware threw an error of its own.
        public static let middleware = Code(rawValue: "middleware")
        /// The WebSocket has ended; `closure` says how.
        public static let webSocketClosed = Code(rawValue: "webSocketClosed")
        /// The request may not be sent (``CachePolicy/onlyIfCached``, ``CachePolicy/offline``, `only-if-cached`), and the cache
        /// has nothing that serves. No server said so.
        public static let notCached = Code(rawValue: "notCached")
        /// A limit of ours kept the request back, and nothing was sent: a rate or concurrency limit's longest wait, or a
        /// circuit breaker, of which ``NetError/isCircuitOpen`` tells.
        public static let limited = Code(rawValue: "limited")
        /// The client or transport was shut down.
        public static let shutdown = Code(rawValue: "shutdown")
        /// What was asked for is not available here.
        public static let unsupported = Code(rawValue: "unsupported")
        /// Anything else; see `underlying`.
        public static let unknown = Code(rawValue: "unknown")
    }

    /// A time-out passed.
    public var isTimeout: Bool { code == .timeout }
    /// The task was cancelled.
    public var isCancellation: Bool { code == .cancelled }
    /// The peer could not be reached or went away: DNS, connect, or a lost connection.
    public var isConnectivity: Bool { code == .dns || code == .connect || code == .connectionLost }
    /// A credential could not be had, or a proof was wrong: somebody has to log in again, or to look at the settings. A 401 of the
    /// server itself is `.unacceptableStatus` with that ``status``.
    public var isAuthentication: Bool { code == .authentication }
    /// The request may not be sent, and the cache has nothing that serves: a miss, not a server's 504.
    public var isNotCached: Bool { code == .notCached }
    /// A circuit breaker makes no calls to the origin for a while; `underlying` is an ``OpenCircuit`` that says why and until
    /// when.
    public var isCircuitOpen: Bool { underlying is OpenCircuit }
}
