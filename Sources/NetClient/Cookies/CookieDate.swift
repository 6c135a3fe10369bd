#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Parses the dates of cookies, which have more formats than those of HTTP (RFC 6265bis section 5.1.1).
///
/// The text is split into tokens; the first that looks like a time is the time, the first that looks like a day of the
/// month is the day, and so on. Other tokens, such as the name of a weekday or of a time zone, are skipped.
package struct CookieDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        .map { Array($0.utf8) }

    private var time: (hour: Int64, minute: Int64, second: Int64)?
    private var day, month, year: Int64?

    /// Returns the date; nil if the text doesn't contain one.
    package static func date(from text: some Collection<UInt8>) -> Date? {
        var reader = CookieDate()
        for token in text.split(whereSeparator: isDelimiter) { reader.take(Array(token)) }
        return reader.date
    }

    private mutating func take(_ token: [UInt8]) {
        if time == nil, let time = Self.time(token) {
            self.time = time
        } else if day == nil, let day = Self.number(token, digits: 1...2) {
            self.day = day
        } else if month == nil, let month = Self.month(token) {
            self.month = month
        } else if year == nil, let year = Self.number(token, digits: 2...4) {
            self.year = year
        }
    }

    private var date: Date? {
        guard let time, let day, let month, var year else { return nil }
        if (70...99).contains(year) { year += 1900 }
        if (0...69).contains(year) { year += 2000 }
        guard year >= 1601, day >= 1, day <= RFC3339.daysIn(month: month, year: year), time.hour <= 23,
            time.minute <= 59, time.second <= 59
        else { return nil }
        let days = RFC3339.daysFromCivil(year: year, month: month, day: day)
        let seconds = days * 86_400 + time.hour * 3600 + time.minute * 60 + time.second
        return Date(timeIntervalSince1970: Double(seconds))
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2f, 0x3b...0x40, 0x5b...0x60, 0x7b...0x7e: true
        default: false
        }
    }

    /// Returns the parts of a time such as `1:02:03`; anything except another digit may follow it.
    private static func time(_ token: [UInt8]) -> (Int64, Int64, Int64)? {
        let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0], digits: 1...2, isWhole: true),
            let minute = number(parts[1], digits: 1...2, isWhole: true), let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static func month(_ token: [UInt8]) -> Int64? {
        months.firstIndex(of: token.prefix(3).map { $0 | 0x20 }).map { Int64($0) + 1 }
    }

    /// Returns the number at the start of a token; nil if the number of its digits isn't in `digits`, or if `isWhole`
    /// is set and anything follows them.
    private static func number(
        _ token: some Collection<UInt8>, digits: ClosedRange<Int>, isWhole: Bool = false
    ) -> Int64? {
        let start = token.prefix { (48...57).contains($0) }
        guard digits.contains(start.count), !isWhole || start.count == token.count else { return nil }
        return start.reduce(0) { $0 * 10 + Int64($1 - 48) }
    }
}
