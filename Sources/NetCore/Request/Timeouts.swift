/// The time limits for the parts of a call, on a monotonic clock.
///
/// Limits are set one by one. A limit that isn't set is inherited: a request inherits it from its client, a client from
/// the defaults below, and a middleware from the call. Setting nil means no limit.
///
/// When a limit is exceeded, the call throws `.timeout` with the phase that was interrupted; the message names the
/// limit.
///
///     var report = Request<Bytes>("report")
///     report.options.timeouts = Timeouts(firstByte: .seconds(120), stall: nil)  // connect and total are the client's
public struct Timeouts: Sendable {
    /// The limits, as bits.
    private struct Limits: OptionSet, Sendable {
        let rawValue: UInt8

        static let connect = Limits(rawValue: 1)
        static let firstByte = Limits(rawValue: 2)
        static let stall = Limits(rawValue: 4)
        static let total = Limits(rawValue: 8)
        static let all: Limits = [.connect, .firstByte, .stall, .total]
    }

    // Nanoseconds, `.max` for no limit: a `Duration` has 128 bits, and computing with it is too expensive for a small
    // call.
    package private(set) var connectNanoseconds: UInt64 = 10_000_000_000
    package private(set) var firstByteNanoseconds: UInt64 = 30_000_000_000
    package private(set) var stallNanoseconds: UInt64 = 30_000_000_000
    package private(set) var totalNanoseconds = UInt64.max
    /// The limits that were set; all others have their defaults.
    private var given: Limits = []

    /// The value of a limit that isn't set; assign it to inherit the limit again.
    public static let inherited: Duration? = Duration(attoseconds: .min)

    /// The limit for DNS, TCP and TLS of one attempt. Default 10 s, which is also the value while it isn't set.
    public var connect: Duration? {
        get { Self.duration(connectNanoseconds) }
        set { change(\.connectNanoseconds, .connect, newValue) }
    }

    /// The limit from the end of sending the request, or from an interim response, to the first byte of the next response,
    /// and from there to the end of its head, in one attempt. Default 30 s, which is also the value while it isn't set.
    public var firstByte: Duration? {
        get { Self.duration(firstByteNanoseconds) }
        set { change(\.firstByteNanoseconds, .firstByte, newValue) }
    }

    /// The limit for a pause while a body is transferred. Time during which the consumer isn't reading doesn't count.
    /// Default 30 s, which is also the value while it isn't set.
    public var stall: Duration? {
        get { Self.duration(stallNanoseconds) }
        set { change(\.stallNanoseconds, .stall, newValue) }
    }

    /// The limit for the whole call: all attempts, the pauses between them, and the body. Default nil: no limit.
    public var total: Duration? {
        get { Self.duration(totalNanoseconds) }
        set { change(\.totalNanoseconds, .total, newValue) }
    }

    /// Creates timeouts without any limit set: all are inherited, ultimately from the defaults.
    public init() {}

    /// Creates timeouts with the given limits; the others are inherited.
    ///
    /// nil means no limit, and a negative duration passes immediately.
    public init(
        connect: Duration? = Timeouts.inherited, firstByte: Duration? = Timeouts.inherited,
        stall: Duration? = Timeouts.inherited, total: Duration? = Timeouts.inherited
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.stall = stall
        self.total = total
    }

    /// Creates timeouts with a limit for the whole call; the others are inherited.
    ///
    ///     var search = Request<[String]>("search")
    ///     search.options.timeouts = .total(.seconds(5))
    public static func total(_ limit: Duration) -> Timeouts { Timeouts(total: limit) }

    private mutating func change(
        _ nanoseconds: WritableKeyPath<Timeouts, UInt64>, _ which: Limits, _ limit: Duration?
    ) {
        if limit == Self.inherited {
            self[keyPath: nanoseconds] = Timeouts()[keyPath: nanoseconds]
            given.remove(which)
        } else {
            self[keyPath: nanoseconds] = limit.map { UInt64(max(0, $0.inNanoseconds)) } ?? .max
            given.insert(which)
        }
    }

    private static func duration(_ nanoseconds: UInt64) -> Duration? {
        nanoseconds == .max ? nil : .nanoseconds(Int64(clamping: nanoseconds))
    }
}

extension Timeouts {
    /// Returns these limits, replaced by the ones that `inner` sets. Every limit of the result counts as set.
    package func overridden(by inner: Timeouts?) -> Timeouts {
        var result = self
        if let inner {
            if inner.given.contains(.connect) { result.connectNanoseconds = inner.connectNanoseconds }
            if inner.given.contains(.firstByte) { result.firstByteNanoseconds = inner.firstByteNanoseconds }
            if inner.given.contains(.stall) { result.stallNanoseconds = inner.stallNanoseconds }
            if inner.given.contains(.total) { result.totalNanoseconds = inner.totalNanoseconds }
        }
        result.given = .all
        return result
    }

    /// True if the first-byte or the stall limit is set rather than inherited.
    package var setsSilence: Bool { !given.isDisjoint(with: [.firstByte, .stall]) }
}

extension Timeouts: Hashable {
    /// Compares the limits, regardless of whether they are set or defaults.
    public static func == (left: Timeouts, right: Timeouts) -> Bool {
        left.connectNanoseconds == right.connectNanoseconds && left.firstByteNanoseconds == right.firstByteNanoseconds
            && left.stallNanoseconds == right.stallNanoseconds && left.totalNanoseconds == right.totalNanoseconds
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(connectNanoseconds)
        hasher.combine(firstByteNanoseconds)
        hasher.combine(stallNanoseconds)
        hasher.combine(totalNanoseconds)
    }
}
