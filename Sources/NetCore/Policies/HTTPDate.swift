#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Dates as HTTP writes them (RFC 9110 section 5.6.7).
public enum HTTPDate {
    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// Reads an IMF-fixdate, `Sun, 06 Nov 1994 08:49:37 GMT`; nil for anything else.
    public static func date(from text: String) -> Date? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT", let day = number(parts[1], 1...31),
            let month = months.firstIndex(of: parts[2]), let year = number(parts[3], 1...9999)
        else { return nil }
        let time = parts[4].split(separator: ":", omittingEmptySubsequences: false)
        guard time.count == 3, let hour = number(time[0], 0...23), let minute = number(time[1], 0...59),
            let second = number(time[2], 0...60), day <= RFC3339.daysIn(month: Int64(month) + 1, year: year)
        else { return nil }
        let days = RFC3339.daysFromCivil(year: year, month: Int64(month) + 1, day: day)
        return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3600 + minute * 60 + second))
    }

    /// Writes an IMF-fixdate; fractions of a second are dropped.
    public static func string(from date: Date) -> String {
        let seconds = Int64(date.timeIntervalSince1970.rounded(.down))
        let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let (year, month, dayOfMonth) = RFC3339.civil(fromDays: day)
        let second = seconds - day * 86_400
        let name = days[Int(((day % 7) + 7) % 7)]
        let time = [second / 3600, second / 60 % 60, second % 60].map { pad($0, 2) }.joined(separator: ":")
        return "\(name), \(pad(dayOfMonth, 2)) \(months[Int(month) - 1]) \(pad(year, 4)) \(time) GMT"
    }

    /// The wait that a `Retry-After` field asks for, in seconds or as a date; nil when it is neither. Never negative.
    public static func delay(retryAfter text: String, now: Date) -> Duration? {
        if let seconds = number(Substring(text), 0...Int64(Int32.max)) { return .seconds(seconds) }
        guard let date = date(from: text) else { return nil }
        return .milliseconds(Int64(max(0, date.timeIntervalSince(now) * 1000)))
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
