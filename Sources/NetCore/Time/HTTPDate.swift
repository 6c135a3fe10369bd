#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The dates of HTTP (RFC 9110 section 5.6.7).
public enum HTTPDate {
    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// Parses a date in any of the three formats that recipients must support (RFC 9110 section 5.6.7); nil for
    /// anything else.
    ///
    ///     HTTPDate.date(from: "Sun, 06 Nov 1994 08:49:37 GMT")
    ///     HTTPDate.date(from: "Sunday, 06-Nov-94 08:49:37 GMT")  // a year of two digits lies in 1970 to 2069
    ///     HTTPDate.date(from: "Sun Nov  6 08:49:37 1994")
    public static func date(from text: String) -> Date? {
        let parts = text.split(separator: " ")
        switch parts.count {
        case 6 where parts[0].hasSuffix(",") && parts[5] == "GMT" && parts[3].utf8.count == 4:
            return date(parts[3], parts[2], parts[1], parts[4])
        case 5 where parts[4].utf8.count == 4:
            return date(parts[4], parts[1], parts[2], parts[3])
        case 4 where parts[0].hasSuffix(",") && parts[3] == "GMT":
            let day = parts[1].split(separator: "-", omittingEmptySubsequences: false)
            guard day.count == 3, day[2].utf8.count == 2, let short = number(day[2], 0...99) else { return nil }
            return date(short < 70 ? "20\(day[2])" : "19\(day[2])", day[1], day[0], parts[2])
        default:
            return nil
        }
    }

    private static func date(_ year: Substring, _ month: Substring, _ day: Substring, _ time: Substring) -> Date? {
        let time = time.split(separator: ":", omittingEmptySubsequences: false)
        guard let year = number(year, 0...9999), let index = months.firstIndex(of: month),
            let day = number(day, 1...RFC3339.daysIn(month: Int64(index) + 1, year: year)),
            time.count == 3, time.allSatisfy({ $0.utf8.count == 2 }), let hour = number(time[0], 0...23),
            let minute = number(time[1], 0...59), let second = number(time[2], 0...60)
        else { return nil }
        let days = RFC3339.daysFromCivil(year: year, month: Int64(index) + 1, day: day)
        return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3600 + minute * 60 + second))
    }

    /// Returns an IMF-fixdate. Fractions of a second are dropped, and a date outside the years 0 to 9999 becomes the
    /// nearest one within them.
    public static func string(from date: Date) -> String {
        let limits = -62_167_219_200.0...253_402_300_799.0
        let seconds = Int64(min(max(limits.lowerBound, date.timeIntervalSince1970.rounded(.down)), limits.upperBound))
        let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let (year, month, dayOfMonth) = RFC3339.civil(fromDays: day)
        let second = seconds - day * 86_400
        let name = days[Int(((day % 7) + 7) % 7)]
        let time = [second / 3600, second / 60 % 60, second % 60].map { pad($0, 2) }.joined(separator: ":")
        return "\(name), \(pad(dayOfMonth, 2)) \(months[Int(month) - 1]) \(pad(year, 4)) \(time) GMT"
    }

    /// Returns the delay of a `Retry-After` header, in seconds or as a date; nil if it's neither. Never negative, and
    /// at most about three hundred years.
    public static func delay(retryAfter text: String, now: Date) -> Duration? {
        let limit = Int64(10_000_000_000)
        let words = text.split { $0 == " " || $0 == "\t" }
        if words.count == 1, words[0].utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) {
            return .seconds(min(Int64(words[0]) ?? limit, limit))
        }
        guard let date = date(from: text) else { return nil }
        return .milliseconds(Int64(min(max(0, date.timeIntervalSince(now) * 1000), Double(limit) * 1000)))
    }

    private static func number(_ text: Substring, _ range: ClosedRange<Int64>) -> Int64? {
        guard text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }), let value = Int64(text), range.contains(value) else {
            return nil
        }
        return value
    }

    private static func pad(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
