public import HTTPTypes

/// Which requests may be sent again after a failure (RFC 9110 section 9.2.2).
public enum RetryEligibility: Sendable, Hashable {
    /// Safe methods (GET, HEAD, OPTIONS, TRACE), and anything with an `Idempotency-Key`. The default.
    case automatic
    /// `automatic`, and PUT and DELETE.
    case idempotentMethods
    /// Every request whose body can be sent again.
    case always
    /// None.
    case never

    /// Whether a request of that method may be repeated.
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
    /// Whether the method asks for nothing to change: GET, HEAD, OPTIONS, TRACE, QUERY (RFC 9110 section 9.2.1).
    public var isSafe: Bool { ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"].contains(rawValue) }
    /// Whether sending twice does what sending once does: the safe methods, PUT and DELETE (RFC 9110 section 9.2.2).
    public var isIdempotent: Bool { isSafe || rawValue == "PUT" || rawValue == "DELETE" }
}
