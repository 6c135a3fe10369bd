internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Times as the tables keep them: whole microseconds, moments counted from 1970.
enum StoredTime {
    /// A moment, clamped to what 64 bits hold.
    static func microseconds(of date: Date) -> Int64 {
        let value = (date.timeIntervalSince1970 * 1e6).rounded()
        if value.isNaN { return 0 }
        return Int64(exactly: value) ?? (value < 0 ? .min : .max)
    }

    /// A duration, clamped to what 64 bits of nanoseconds hold; a fraction of a microsecond is cut off.
    static func microseconds(of duration: Duration) -> Int64 {
        duration.inNanoseconds / 1000
    }

    /// The time between two moments; 0 if the second isn't later.
    static func microseconds(from start: Date, to end: Date) -> Int64 {
        let difference = microseconds(of: end).subtractingReportingOverflow(microseconds(of: start))
        return difference.overflow ? 0 : max(0, difference.partialValue)
    }

    static func date(_ microseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(microseconds) / 1e6)
    }

    static func duration(_ microseconds: Int64) -> Duration {
        .microseconds(microseconds)
    }
}
