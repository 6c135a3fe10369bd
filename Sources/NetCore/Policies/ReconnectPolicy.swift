/// When a WebSocket that ended is opened again.
///
/// The defaults go on for ever, with waits of up to 1 s, 2 s, 4 s … 30 s, and stop where another attempt would end the same
/// way: a close code that says so, a status 4xx, a certificate that is not trusted.
public struct ReconnectPolicy: Sendable, Hashable {
    /// The waits. Default: base 1 s, factor 2, cap 30 s, full jitter.
    public var backoff: Backoff
    /// Attempts that may fail one after another before it gives up; nil for no limit. Default nil.
    public var maximumAttempts: Int?
    /// How long a connection must have stood until earlier failures are forgotten. Default 10 s.
    public var stablePeriod: Duration
    /// Close codes after which there is no other attempt. Default 1000, 1002, 1003, 1007, 1008, 1010, 1015, 4000 to 4999.
    public var finalCodes: [ClosedRange<UInt16>]

    /// Takes the rules.
    public init(
        backoff: Backoff = Backoff(base: .seconds(1), factor: 2, cap: .seconds(30)), maximumAttempts: Int? = nil,
        stablePeriod: Duration = .seconds(10),
        finalCodes: [ClosedRange<UInt16>] = [
            1000...1000, 1002...1003, 1007...1008, 1010...1010, 1015...1015, 4000...4999,
        ]
    ) {
        self.backoff = backoff
        self.maximumAttempts = maximumAttempts
        self.stablePeriod = stablePeriod
        self.finalCodes = finalCodes
    }

    /// The same wait each time, at most so often: what some call linear.
    public static func constant(_ wait: Duration, maximumAttempts: Int? = nil) -> ReconnectPolicy {
        ReconnectPolicy(backoff: .constant(wait), maximumAttempts: maximumAttempts)
    }

    /// Never again.
    public static let never = ReconnectPolicy(maximumAttempts: 0)
}
