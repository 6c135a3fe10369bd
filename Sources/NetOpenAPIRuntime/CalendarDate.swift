/// A day in the Gregorian calendar without time or time zone: OpenAPI's format `date` (RFC 3339 `full-date`).
///
///     let day = CalendarDate(year: 2026, month: 2, day: 28)
///     print(day.map(\.description) ?? "no such day")  // 2026-02-28
public struct CalendarDate: Sendable, Hashable, Comparable, LosslessStringConvertible {
    /// The year, 0 to 9999.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int
    /// The day of the month, starting at 1.
    public let day: Int

    /// Creates a date; nil if the calendar has no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
            Int64(day) <= RFC3339.daysIn(month: Int64(month), year: Int64(year))
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Parses a date such as `2026-02-28`; nil for anything else.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        let hyphen = UInt8(ascii: "-")
        guard bytes.count == 10, bytes[4] == hyphen, bytes[7] == hyphen, let year = Self.number(bytes[0..<4]),
            let month = Self.number(bytes[5..<7]), let day = Self.number(bytes[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard digit >= 48, digit <= 57 else { return nil }
            value = value * 10 + Int(digit - 48)
        }
        return value
    }

    /// The date in the form `2026-02-28`.
    public var description: String {
        func pad(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))"
    }

    public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension CalendarDate: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = CalendarDate(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" isn't a full-date of RFC 3339 such as 2026-02-28")
        }
        self = date
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
