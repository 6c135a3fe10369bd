/// When a failed attempt is repeated.
public struct RetryPolicy: Sendable, Hashable {
    /// Attempts in all, the first included. Default 3.
    public var maximumAttempts: Int
    /// The waits between them.
    public var backoff: Backoff
    /// Status codes that are repeated, never 200. Default 429, 500, 502, 503, 504.
    public var statuses: Set<Int>
    /// Error codes that are repeated. Default: DNS, connect, a lost connection, a time-out.
    public var errors: Set<NetError.Code>
    /// Which requests may be repeated, where the request says nothing. Default ``RetryEligibility/automatic``.
    public var eligibility: RetryEligibility
    /// The longest `Retry-After` that is waited for; a longer one ends the call. Default 60 s.
    public var maximumRetryAfter: Duration

    /// The defaults.
    public init(
        maximumAttempts: Int = 3, backoff: Backoff = Backoff(), statuses: Set<Int> = [429, 500, 502, 503, 504],
        errors: Set<NetError.Code> = [.dns, .connect, .connectionLost, .timeout],
        eligibility: RetryEligibility = .automatic, maximumRetryAfter: Duration = .seconds(60)
    ) {
        self.maximumAttempts = max(1, maximumAttempts)
        self.backoff = backoff
        self.statuses = statuses
        self.errors = errors
        self.eligibility = eligibility
        self.maximumRetryAfter = maximumRetryAfter
    }
}
