public import HTTPTypes

/// The requests that may be sent again after a failure (RFC 9110 section 9.2.2).
public enum RetryEligibility: Sendable, Hashable {
    /// Safe methods (``HTTPTypes/HTTPRequest/Method/isSafe``), and anything with an `Idempotency-Key`. The default.
    case automatic
    /// `automatic`, and PUT and DELETE.
    case idempotentMethods
    /// Every request whose body can be sent again.
    case always
    /// None.
    case never

    /// Returns true if a request of that method may be repeated.
    public func allows(_ method: HTTPRequest.Method, hasIdempotencyKey: Bool) -> Bool {
        switch self {
        case .automatic: method.isSafe || hasIdempotencyKey
        case .idempotentMethods: method.isIdempotent || hasIdempotencyKey
        case .always: true
        case .never: false
        }
    }
}

extension HTTPRequest.Method {
    /// True if the method doesn't ask for a change, by IANA's registry of methods: GET, HEAD, OPTIONS, TRACE, PROPFIND, REPORT,
    /// SEARCH, QUERY (RFC 9110 section 9.2.1).
    public var isSafe: Bool {
        switch rawValue {
        case "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH", "QUERY": true
        default: false
        }
    }
    /// True if sending it twice does what sending it once does: the safe methods, PUT and DELETE (RFC 9110 section 9.2.2).
    public var isIdempotent: Bool { isSafe || rawValue == "PUT" || rawValue == "DELETE" }
}
