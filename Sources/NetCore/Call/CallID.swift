#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The identifier of one call, from the moment it is sent until its body ends, retries included.
///
/// It is a version 7 UUID (RFC 9562 section 5.7): calls of a later millisecond sort after earlier ones.
public struct CallID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The first and the last eight bytes of the UUID.
    public let high, low: UInt64

    /// Creates an ID from its bits.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates an ID from milliseconds since 1970 and 74 random bits.
    public init(milliseconds: UInt64, random: NetRandom) {
        high = (milliseconds << 16) | 0x7000 | (random.next() & 0xfff)
        low = 0x8000_0000_0000_0000 | (random.next() >> 2)
    }

    /// Creates an ID from a date, clamped to the range of the timestamp, because a custom clock may return any date.
    package init(date: Date, random: NetRandom) {
        let milliseconds = max(0, min(date.timeIntervalSince1970 * 1000, 0x1p48 - 1))
        self.init(milliseconds: UInt64(milliseconds), random: random)
    }

    public static func < (left: CallID, right: CallID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    /// The canonical text form of a UUID, `0190b5a0-7c3e-7def-8123-456789abcdef`.
    public var description: String {
        let digits: [UInt8] = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: 36) { buffer in
            var index = 0
            for nibble in 0..<32 {
                if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
                    buffer[index] = UInt8(ascii: "-")
                    index += 1
                }
                let word = nibble < 16 ? high : low
                buffer[index] = digits[Int((word >> UInt64(60 - 4 * (nibble % 16))) & 0xf)]
                index += 1
            }
            return 36
        }
    }
}
