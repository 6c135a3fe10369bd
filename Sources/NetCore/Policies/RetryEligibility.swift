public import HTTPTypes

/// The requests that may be sent again after a failure (RFC 9110 section 9.2.2).
public enum RetryEligibility: Sendable, Hashable {
    /// Safe methods (``HTTPTypes/HTTPRequest/Method/isSafe``), and anything with an `Idempotency-Key`. The default.
    case automatic
    /// `automatic`, plus PUT and DELETE.
    case idempotentMethods
    /// Every request whose body can be sent again.
    case always
    /// No requests.
    case never

    /// Returns true if a request with that method may be retried.
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
    /// True if the method doesn't request a change, according to IANA's method registry: GET, HEAD, OPTIONS, TRACE,
    /// PROPFIND, REPORT, SEARCH, QUERY (RFC 9110 section 9.2.1).
    public var isSafe: Bool {
        switch rawValue {
        case "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH", "QUERY": true
        default: false
        }
    }
    /// True if sending a request twice has the same effect as sending it once: the safe methods, PUT and DELETE (RFC
    /// 9110 section 9.2.2).
    public var isIdempotent: Bool { isSafe || rawValue == "PUT" || rawValue == "DELETE" }
}
