/// The position of a request in a trace: the value of the `traceparent` header (W3C Trace Context).
///
///     let parent = TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
///     print(parent?.traceID.description ?? "none", parent?.isSampled ?? false)
public struct TraceParent: Sendable, Hashable {
    /// The ID of a trace: 128 bits, not all of them 0.
    public struct TraceID: Sendable, Hashable, CustomStringConvertible {
        /// The first and the last eight bytes.
        public let high, low: UInt64

        /// Creates an ID from its bits; nil if all are 0.
        public init?(high: UInt64, low: UInt64) {
            guard high != 0 || low != 0 else { return nil }
            self.high = high
            self.low = low
        }

        /// 32 lowercase hexadecimal digits.
        public var description: String { high.paddedHexadecimal + low.paddedHexadecimal }
    }

    /// The ID of the trace.
    public let traceID: TraceID
    /// The ID of the caller's span; never 0.
    public let parentID: UInt64
    /// True if the caller may have recorded trace data. The other flags are neither read nor sent.
    public let isSampled: Bool

    /// Creates a position; nil if `parentID` is 0.
    public init?(traceID: TraceID, parentID: UInt64, isSampled: Bool = true) {
        guard parentID != 0 else { return nil }
        self.traceID = traceID
        self.parentID = parentID
        self.isSampled = isSampled
    }

    /// Parses a header value; nil if it's malformed, in which case a new trace starts.
    ///
    /// For versions later than 00, the known parts are read, regardless of what follows them.
    public init?(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.first, byte == 32 || byte == 9 { bytes.removeFirst() }
        while let byte = bytes.last, byte == 32 || byte == 9 { bytes.removeLast() }
        let headers = bytes.split(separator: UInt8(ascii: "-"), maxSplits: 4, omittingEmptySubsequences: false)
        guard headers.count >= 4, headers[0].count == 2, headers[1].count == 32, headers[2].count == 16,
            headers[3].count == 2, let version = TraceHex.value(headers[0]), version != 0xff,
            version > 0 || headers.count == 4, let high = TraceHex.value(headers[1].prefix(16)),
            let low = TraceHex.value(headers[1].suffix(16)), let parent = TraceHex.value(headers[2]),
            let flags = TraceHex.value(headers[3]), let traceID = TraceID(high: high, low: low)
        else { return nil }
        self.init(traceID: traceID, parentID: parent, isSampled: flags & 1 == 1)
    }

    /// Returns the same trace with another parent, for an outgoing request.
    public func child(random: NetRandom) -> TraceParent {
        TraceParent(traceID: traceID, parentID: Self.newParentID(random), isSampled: isSampled) ?? self
    }

    /// Returns a new trace with random IDs.
    public static func random(_ random: NetRandom, isSampled: Bool = true) -> TraceParent {
        TraceParent(high: random.next(), low: random.next(), random: random, isSampled: isSampled)
    }

    /// Creates the trace of a call without a parent. Its ID is that of the call, so that one search finds both.
    package init(_ call: CallID, random: NetRandom) {
        self.init(high: call.high, low: call.low, random: random, isSampled: true)
    }

    private init(high: UInt64, low: UInt64, random: NetRandom, isSampled: Bool) {
        traceID = TraceID(known: high, low == 0 ? 1 : low)
        parentID = Self.newParentID(random)
        self.isSampled = isSampled
    }

    private static func newParentID(_ random: NetRandom) -> UInt64 { max(1, random.next()) }
}

extension TraceParent.TraceID {
    /// Creates an ID whose `low` is known not to be 0.
    fileprivate init(known high: UInt64, _ low: UInt64) {
        self.high = high
        self.low = low
    }
}

extension TraceParent: CustomStringConvertible {
    /// The header value, in version 00.
    public var description: String { "00-\(traceID)-\(parentID.paddedHexadecimal)-0\(isSampled ? 1 : 0)" }
}

/// Parses lowercase hexadecimal digits, the only ones that `traceparent` allows.
private enum TraceHex {
    /// Returns the value of at most 16 digits; nil if there is any other character.
    static func value(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return value
    }
}
