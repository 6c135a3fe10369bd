/// The rules for retrying failed attempts.
public struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of attempts, including the first. Default 3.
    public var maximumAttempts: Int
    /// The waits between attempts. Default: those of ``Backoff``.
    public var backoff: Backoff
    /// The status codes that are retried, never 200. Default 429, 500, 502, 503, 504.
    public var statuses: Set<Int>
    /// The error codes that are retried. Default: DNS, connect, a lost connection, a timeout.
    public var errors: Set<NetError.Code>
    /// The requests that may be retried, unless a request has its own rule. Default ``RetryEligibility/automatic``.
    public var eligibility: RetryEligibility
    /// The maximum `Retry-After` to wait for; a longer one ends the call. Default 60 s.
    public var maximumRetryAfter: Duration

    /// Creates a policy.
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
