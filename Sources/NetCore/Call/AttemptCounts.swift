/// The cause of an attempt after the first of a call.
public enum AttemptCause: String, Sendable, Hashable, CaseIterable {
    /// The result of the previous attempt may be temporary.
    case retry
    /// A new credential, or the response to a challenge.
    case renewal
    /// A redirect.
    case redirect
    /// A copy of an attempt that hasn't received a response yet.
    case hedge
    /// Another route to the same server, such as without an alternative service.
    case fallback
}

/// The number of attempts of a call after its first, by cause.
public struct AttemptCounts: Sendable, Hashable {
    /// The attempts after a result that may be temporary.
    public var retries = 0
    /// The attempts with a new credential, or with the response to a challenge.
    public var renewals = 0
    /// The redirects that were followed.
    public var redirects = 0
    /// The copies of attempts that hadn't received a response yet.
    public var hedges = 0
    /// The attempts on another route to the same server.
    public var fallbacks = 0

    /// Creates counts, all of them zero.
    public init() {}

    mutating func count(_ cause: AttemptCause) {
        switch cause {
        case .retry: retries += 1
        case .renewal: renewals += 1
        case .redirect: redirects += 1
        case .hedge: hedges += 1
        case .fallback: fallbacks += 1
        }
    }
}
