#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Date-times of RFC 3339 section 5.6, with or without a fraction, without a formatter object.
package enum RFC3339 {
    /// The first and the last millisecond of the years with four digits.
    private static let limits = -62_167_219_200_000.0...253_402_300_799_999.0

    /// Returns true if the date can be written: its year is 0 to 9999.
    package static func canFormat(_ date: Date) -> Bool {
        limits.contains((date.timeIntervalSince1970 * 1000).rounded())
    }

    /// Returns the date as `2026-01-31T12:00:00Z`, with milliseconds only if there are any. A date outside the years 0
    /// to 9999 becomes the nearest one within them.
    package static func format(_ date: Date) -> String {
        let exact = (date.timeIntervalSince1970 * 1000).rounded()
        let milliseconds = Int64(min(max(limits.lowerBound, exact), limits.upperBound))
        let (seconds, fraction) = floorDivide(milliseconds, by: 1000)
        let (days, secondOfDay) = floorDivide(seconds, by: 86_400)
        let (year, month, day) = civil(fromDays: days)
        var text = "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))T"
        text += "\(pad(secondOfDay / 3600, 2)):\(pad(secondOfDay / 60 % 60, 2)):\(pad(secondOfDay % 60, 2))"
        if fraction > 0 { text += ".\(pad(fraction, 3))" }
        return text + "Z"
    }

    /// Parses a date-time; nil if the text isn't one. A leap second counts as the next second.
    package static func date(from text: String) -> Date? {
        var reader = Reader(bytes: Array(text.utf8))
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), reader.skip("T", "t", " "), let hour = reader.number(2), reader.skip(":"),
            let minute = reader.number(2), reader.skip(":"), let second = reader.number(2),
            (1...12).contains(month), day >= 1, day <= daysIn(month: month, year: year), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        var fraction = 0.0
        if reader.skip(".") {
            guard let value = reader.fraction() else { return nil }
            fraction = value
        }
        guard let offset = reader.offset(), reader.isAtEnd else { return nil }
        let days = daysFromCivil(year: year, month: month, day: day)
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    /// Returns the number of days from 1970-01-01 to a day of the proleptic Gregorian calendar.
    package static func daysFromCivil(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Returns the day of the proleptic Gregorian calendar that is a number of days after 1970-01-01.
    package static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// Returns the number of days in a month.
    package static func daysIn(month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func floorDivide(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func pad(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        var isAtEnd: Bool { index == bytes.count }

        mutating func number(_ width: Int) -> Int64? {
            guard index + width <= bytes.count else { return nil }
            var value: Int64 = 0
            for byte in bytes[index..<index + width] {
                guard byte >= 48, byte <= 57 else { return nil }
                value = value * 10 + Int64(byte - 48)
            }
            index += width
            return value
        }

        mutating func skip(_ characters: Unicode.Scalar...) -> Bool {
            guard index < bytes.count, characters.contains(Unicode.Scalar(bytes[index])) else { return false }
            index += 1
            return true
        }

        /// Reads the digits after the point; those beyond nanoseconds have no effect.
        mutating func fraction() -> Double? {
            var value: Int64 = 0
            var scale: Int64 = 1
            let start = index
            while index < bytes.count, bytes[index] >= 48, bytes[index] <= 57 {
                if scale < 1_000_000_000 {
                    value = value * 10 + Int64(bytes[index] - 48)
                    scale *= 10
                }
                index += 1
            }
            return index > start ? Double(value) / Double(scale) : nil
        }

        mutating func offset() -> Int64? {
            if skip("Z", "z") { return 0 }
            let isNegative = index < bytes.count && bytes[index] == UInt8(ascii: "-")
            guard skip("+", "-"), let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60
            else { return nil }
            return (isNegative ? -1 : 1) * (hours * 3600 + minutes * 60)
        }
    }
}
