/// How long each part of a call may take. All are measured on a monotonic clock.
///
/// Each has an error of its own: `.timeout`, whose message names the limit, in the phase that it ended.
public struct Timeouts: Sendable, Hashable {
    // Nanoseconds, `.max` for none: a `Duration` has 128 bits, and to compute with it costs a small call too much.
    package private(set) var connectNanoseconds, firstByteNanoseconds, stallNanoseconds, totalNanoseconds: UInt64

    /// DNS, TCP and TLS of one attempt. Default 10 s.
    public var connect: Duration? {
        get { Self.duration(connectNanoseconds) }
        set { connectNanoseconds = Self.nanoseconds(newValue) }
    }

    /// From the sent request to the first byte of the answer, in one attempt. Default 30 s.
    public var firstByte: Duration? {
        get { Self.duration(firstByteNanoseconds) }
        set { firstByteNanoseconds = Self.nanoseconds(newValue) }
    }

    /// The longest silence while a body moves. A reader that does not read is no silence. Default 30 s.
    public var stall: Duration? {
        get { Self.duration(stallNanoseconds) }
        set { stallNanoseconds = Self.nanoseconds(newValue) }
    }

    /// The whole call: every attempt, every pause between them, the body too. Default nil: no limit.
    public var total: Duration? {
        get { Self.duration(totalNanoseconds) }
        set { totalNanoseconds = Self.nanoseconds(newValue) }
    }

    /// The defaults.
    public init() {
        connectNanoseconds = 10_000_000_000
        firstByteNanoseconds = 30_000_000_000
        stallNanoseconds = 30_000_000_000
        totalNanoseconds = .max
    }

    /// Makes time-outs; nil means no limit, and what is negative passes at once.
    public init(
        connect: Duration? = .seconds(10), firstByte: Duration? = .seconds(30), stall: Duration? = .seconds(30),
        total: Duration? = nil
    ) {
        connectNanoseconds = Self.nanoseconds(connect)
        firstByteNanoseconds = Self.nanoseconds(firstByte)
        stallNanoseconds = Self.nanoseconds(stall)
        totalNanoseconds = Self.nanoseconds(total)
    }

    /// The defaults, with a limit for the whole call.
    public static func total(_ limit: Duration) -> Timeouts { Timeouts(total: limit) }

    private static func nanoseconds(_ limit: Duration?) -> UInt64 {
        limit.map { UInt64(max(0, $0.inNanoseconds)) } ?? .max
    }

    private static func duration(_ nanoseconds: UInt64) -> Duration? {
        nanoseconds == .max ? nil : .nanoseconds(Int64(clamping: nanoseconds))
    }
}
