extension NetError {
    /// The kind of an error; an open set, so that new codes don't break callers.
    public struct Code: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The request can't be sent as it is: an invalid URL, header, path or option.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// The request body couldn't be encoded.
        public static let encoding = Code(rawValue: "encoding")
        /// The host name has no address.
        public static let dns = Code(rawValue: "dns")
        /// No connection could be established: refused, unreachable, or rejected by the proxy.
        public static let connect = Code(rawValue: "connect")
        /// The TLS handshake failed, or the certificate isn't trusted.
        public static let tls = Code(rawValue: "tls")
        /// The connection ended before the response was complete.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// A timeout passed; the message names it.
        public static let timeout = Code(rawValue: "timeout")
        /// The task was cancelled, or the client cancelled the call.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The peer violated the protocol.
        public static let protocolViolation = Code(rawValue: "protocolViolation")
        /// The length of the message can't be trusted: a `Content-Length` that isn't a number, doesn't fit in 64 bits
        /// or occurs twice with different values, or an invalid chunk (RFC 9112 section 6.3).
        public static let invalidFraming = Code(rawValue: "invalidFraming")
        /// The header or trailer section exceeded its limit.
        public static let headersTooLarge = Code(rawValue: "headersTooLarge")
        /// There were too many interim (1xx) responses.
        public static let tooManyInterimResponses = Code(rawValue: "tooManyInterimResponses")
        /// A body exceeded its limit.
        public static let bodyTooLarge = Code(rawValue: "bodyTooLarge")
        /// The status didn't pass validation.
        public static let unacceptableStatus = Code(rawValue: "unacceptableStatus")
        /// The response couldn't be read as the request's response type.
        public static let decoding = Code(rawValue: "decoding")
        /// The client or the server couldn't be authenticated: a token endpoint refused a grant (RFC 6749 section 5.2),
        /// or a server couldn't prove that it knows the password (`rspauth`, RFC 7616 section 3.5). Not retried.
        public static let authentication = Code(rawValue: "authentication")
        /// A middleware threw an error that isn't a ``NetError``.
        public static let middleware = Code(rawValue: "middleware")
        /// The WebSocket has ended; `closure` has the close code and the reason.
        public static let webSocketClosed = Code(rawValue: "webSocketClosed")
        /// The request must not be sent (``CachePolicy/onlyIfCached``, ``CachePolicy/offline``, `only-if-cached`), and
        /// the cache has no suitable response. Never reported by a server.
        public static let notCached = Code(rawValue: "notCached")
        /// A local limit kept the request from being sent: the maximum wait of a rate or concurrency limit, or a
        /// circuit breaker, for which ``NetError/isCircuitOpen`` is true.
        public static let limited = Code(rawValue: "limited")
        /// The client or transport was shut down.
        public static let shutdown = Code(rawValue: "shutdown")
        /// A required feature isn't available here.
        public static let unsupported = Code(rawValue: "unsupported")
        /// Anything else; see `underlying`.
        public static let unknown = Code(rawValue: "unknown")
    }

    /// True if a timeout passed.
    public var isTimeout: Bool { code == .timeout }
    /// True if the task was cancelled, or the client cancelled the call.
    public var isCancellation: Bool { code == .cancelled }
    /// True if the peer couldn't be reached or the connection was lost: DNS, connect, or a lost connection.
    public var isConnectivity: Bool { code == .dns || code == .connect || code == .connectionLost }
    /// True if a credential couldn't be obtained or a proof was wrong: the user has to log in again, or the settings
    /// need to be checked. A 401 from the server itself is `.unacceptableStatus` with that ``status``.
    public var isAuthentication: Bool { code == .authentication }
    /// True if the request must not be sent and the cache has no suitable response: a cache miss, not a 504 from a
    /// server.
    public var isNotCached: Bool { code == .notCached }
    /// True if a circuit breaker rejects calls to the origin for a while; `underlying` is an ``OpenCircuit`` with the
    /// reason and the remaining time.
    public var isCircuitOpen: Bool { underlying is OpenCircuit }
}
