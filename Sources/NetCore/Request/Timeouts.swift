/// How long each part of a call may take. All are measured on a monotonic clock.
public struct Timeouts: Sendable, Hashable {
    /// DNS, TCP and TLS of one attempt. Default 10 s.
    public var connect: Duration?
    /// From the sent request to the first byte of the answer, in one attempt. Default 30 s.
    public var firstByte: Duration?
    /// The longest silence while a body moves. A reader that does not read is no silence. Default 30 s.
    public var stall: Duration?
    /// The whole call: every attempt, every pause between them, the body too. Default nil: no limit.
    public var total: Duration?

    /// Makes time-outs; nil means no limit.
    public init(
        connect: Duration? = .seconds(10), firstByte: Duration? = .seconds(30), stall: Duration? = .seconds(30),
        total: Duration? = nil
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.stall = stall
        self.total = total
    }

    /// The defaults, with a limit for the whole call.
    public static func total(_ limit: Duration) -> Timeouts { Timeouts(total: limit) }
}
