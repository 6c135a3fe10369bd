/// The rules for reopening a connection that ended: a WebSocket session or an event source.
///
///     let policy = ReconnectPolicy(maximumAttempts: 5)
///
/// The defaults are meant for WebSockets: unlimited attempts, after waits of up to 1 s, 2 s, 4 s … 30 s, until a
/// connection ends for a reason that would end another attempt too: a final close code, most 4xx statuses, an untrusted
/// certificate.
public struct ReconnectPolicy: Sendable, Hashable {
    /// The waits. Default: base 1 s, factor 2, cap 30 s, full jitter. From the second consecutive failure on, an event
    /// source adds them to the time that its server sets.
    public var backoff: Backoff
    /// The number of attempts that may fail one after another, before the first connection as well as after a loss; the
    /// loss itself is none. nil means no limit; 0 connects once, and never again. Default nil. A session's attempt to
    /// reconnect also counts as failed if its connection is lost within ``stablePeriod``.
    public var maximumAttempts: Int?
    /// The time that a WebSocket must stay open before earlier failures no longer count. Default 10 s. For an event
    /// source, earlier failures no longer count once its stream has begun.
    public var stablePeriod: Duration
    /// The action for each close code of a WebSocket. Default ``ReconnectTable/closeCodes``.
    public var closeCodes: ReconnectTable
    /// The action for each status. Default ``ReconnectTable/statuses``; an event source makes no other attempt by
    /// default, as its standard requires (HTML Standard section 9.2).
    public var statuses: ReconnectTable
    /// The maximum `Retry-After` to wait for; a longer one ends the attempts. Default 300 s.
    public var maximumRetryAfter: Duration

    /// Creates a policy. Rules that aren't given have their defaults.
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

    /// A policy that never reconnects.
    public static let never = ReconnectPolicy(maximumAttempts: 0)

    /// Returns true if another attempt is allowed after `failures` consecutive failed ones.
    package func allows(failures: Int) -> Bool { maximumAttempts.map { failures < $0 } ?? true }

    package func repeats(status: Int) -> Bool { statuses[status] == .retry }

    /// Returns the longer of the two waits; nil if the server asks for a longer wait than ``maximumRetryAfter``.
    package func wait(_ wait: Duration, retryAfter: Duration?) -> Duration? {
        guard let retryAfter else { return wait }
        return retryAfter <= maximumRetryAfter ? max(wait, retryAfter) : nil
    }
}
