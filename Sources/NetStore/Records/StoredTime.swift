internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Times in the form of the tables: whole microseconds, dates since 1970.
enum StoredTime {
    /// Returns a date in microseconds since 1970, clamped to 64 bits.
    static func microseconds(of date: Date) -> Int64 {
        let value = (date.timeIntervalSince1970 * 1e6).rounded()
        if value.isNaN { return 0 }
        return Int64(exactly: value) ?? (value < 0 ? .min : .max)
    }

    /// Returns a duration in microseconds, rounded toward zero and clamped to 64 bits of nanoseconds.
    static func microseconds(of duration: Duration) -> Int64 {
        duration.inNanoseconds / 1000
    }

    /// Returns the time between two dates; 0 if the second isn't later.
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
