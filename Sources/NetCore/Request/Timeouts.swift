/// How long each part of a call may take, on a monotonic clock.
///
/// Limits are set one by one, and one that isn't set is inherited: a request's from its client, a client's from the defaults
/// named here, and those of a middleware from the call. Setting nil means no limit.
///
/// Each limit has an error of its own: `.timeout`, whose message names the limit, in the phase that it ended.
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

    // Nanoseconds, `.max` for none: a `Duration` has 128 bits, and to compute with it costs a small call too much.
    package private(set) var connectNanoseconds: UInt64 = 10_000_000_000
    package private(set) var firstByteNanoseconds: UInt64 = 30_000_000_000
    package private(set) var stallNanoseconds: UInt64 = 30_000_000_000
    package private(set) var totalNanoseconds = UInt64.max
    /// The limits that were set. The others have their defaults.
    private var given: Limits = []

    /// Stands for a limit that isn't set: the value to give a limit that should be inherited again.
    public static let inherited: Duration? = Duration(attoseconds: .min)

    /// DNS, TCP and TLS of one attempt. Default 10 s, which is also read while it isn't set.
    public var connect: Duration? {
        get { Self.duration(connectNanoseconds) }
        set { change(\.connectNanoseconds, .connect, newValue) }
    }

    /// From the sent request to the first byte of the response, in one attempt. Default 30 s, which is also read while it isn't
    /// set.
    public var firstByte: Duration? {
        get { Self.duration(firstByteNanoseconds) }
        set { change(\.firstByteNanoseconds, .firstByte, newValue) }
    }

    /// The longest silence while a body moves. Time during which the consumer isn't reading doesn't count. Default 30 s, which
    /// is also read while it isn't set.
    public var stall: Duration? {
        get { Self.duration(stallNanoseconds) }
        set { change(\.stallNanoseconds, .stall, newValue) }
    }

    /// The whole call: every attempt, every pause between them, the body too. Default nil: no limit.
    public var total: Duration? {
        get { Self.duration(totalNanoseconds) }
        set { change(\.totalNanoseconds, .total, newValue) }
    }

    /// Creates time-outs of which none is set: all are inherited, in the end from the defaults.
    public init() {}

    /// Creates time-outs with the limits that are given; the others are inherited.
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

    /// A limit for the whole call; the others are inherited.
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
    /// These limits with those that `inner` sets in their place. Every limit of the result counts as set.
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
    /// Compares the limits, whether they are set or defaults.
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
