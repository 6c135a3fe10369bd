/// The rules for reopening a connection that ended: a WebSocket session or an event source.
///
///     let policy = ReconnectPolicy(maximumAttempts: 5)
///
/// The defaults are those of WebSockets: attempts without limit, after waits of up to 1 s, 2 s, 4 s … 30 s, until an
/// end for which another attempt would end the same way: a final close code, most 4xx statuses, an untrusted
/// certificate.
public struct ReconnectPolicy: Sendable, Hashable {
    /// The waits. Default: base 1 s, factor 2, cap 30 s, full jitter. From the second consecutive failure on, an event
    /// source adds them to the time that its server sets.
    public var backoff: Backoff
    /// The maximum number of consecutive attempts that fail; nil for no limit, 0 never reconnects. Default nil.
    public var maximumAttempts: Int?
    /// How long a WebSocket has to stay open until earlier failures no longer count. Default 10 s. For an event source,
    /// they don't count once its stream has begun.
    public var stablePeriod: Duration
    /// What follows for each close code of a WebSocket. Default ``ReconnectTable/closeCodes``.
    public var closeCodes: ReconnectTable
    /// What follows for each status. Default ``ReconnectTable/statuses``; for an event source no other attempt, as its
    /// standard requires (HTML Standard section 9.2).
    public var statuses: ReconnectTable
    /// The maximum `Retry-After` of such a status; a longer one ends the attempts. Default 300 s.
    public var maximumRetryAfter: Duration

    /// Creates a policy with the defaults, except for the given rules.
    public init(
        backoff: Backoff = Backoff(base: .seconds(1), factor: 2, cap: .seconds(30)), maximumAttempts: Int? = nil,
        stablePeriod: Duration = .seconds(10), closeCodes: ReconnectTable = .closeCodes,
        statuses: ReconnectTable = .statuses, maximumRetryAfter: Duration = .seconds(300)
    ) {
        self.backoff = backoff
        self.maximumAttempts = maximumAttempts
        self.stablePeriod = stablePeriod
        self.closeCodes = closeCodes
        self.statuses = statuses
        self.maximumRetryAfter = maximumRetryAfter
    }

    /// Returns a policy with the same wait before each attempt.
    public static func constant(_ wait: Duration, maximumAttempts: Int? = nil) -> ReconnectPolicy {
        ReconnectPolicy(backoff: .constant(wait), maximumAttempts: maximumAttempts)
    }

    /// A policy without reconnecting.
    public static let never = ReconnectPolicy(maximumAttempts: 0)

    /// Returns true if `failures` consecutive failures leave another attempt.
    package func allows(failures: Int) -> Bool { maximumAttempts.map { failures <= $0 } ?? true }

    package func repeats(status: Int) -> Bool { statuses[status] == .retry }

    /// Returns the longer of the two waits; nil if the server asks for one longer than ``maximumRetryAfter``.
    package func wait(_ wait: Duration, retryAfter: Duration?) -> Duration? {
        guard let retryAfter else { return wait }
        return retryAfter <= maximumRetryAfter ? max(wait, retryAfter) : nil
    }
}
