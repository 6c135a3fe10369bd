internal import NetCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Parses the values of terms: statuses, durations, sizes, moments, numbers. The tool parses its options with the same
/// rules.
package enum FilterValueReader {
    /// Returns the term with this value; nil for an invalid value.
    static func term(_ name: FilterTermName, _ value: FilterScanner.Value) -> FilterTerm? {
        switch name {
        case .all, .flag: nil
        case .text(let field): .text(field, value.pattern)
        case .status: status(value.text).map(FilterTerm.status)
        case .slower: duration(value.text).map(FilterTerm.slower)
        case .faster: duration(value.text).map(FilterTerm.faster)
        case .larger: size(value.text).map(FilterTerm.larger)
        case .since: moment(value.text).map(FilterTerm.since)
        case .until: moment(value.text).map(FilterTerm.until)
        case .run: digits(value.text).map(FilterTerm.run)
        }
    }

    /// Parses `503`, `5xx`, `50x`, `400-499`: statuses, and close codes of WebSockets, which have four digits.
    static func status(_ text: String) -> ClosedRange<Int>? {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 {
            guard let low = code(parts[0]), let high = code(parts[1]), low <= high else { return nil }
            return low...high
        }
        if let code = code(text) { return code...code }
        guard text.utf8.count == 3, let last = text.last, last == "x" || last == "X" else { return nil }
        let stem = text.prefix { $0 != "x" && $0 != "X" }
        guard let number = digits(String(stem)), stem.first != "0",
            text.dropFirst(stem.count).allSatisfy({ $0 == "x" || $0 == "X" })
        else { return nil }
        let scale = stem.count == 1 ? 100 : 10
        return Int(number) * scale...Int(number) * scale + scale - 1
    }

    private static func code(_ text: some StringProtocol) -> Int? {
        guard (3...4).contains(text.utf8.count), let number = digits(String(text)),
            FilterTerm.statuses.contains(Int(number))
        else { return nil }
        return Int(number)
    }

    /// Parses a whole number that consists only of digits.
    static func digits(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(text)
    }

    /// Parses a duration into microseconds, rounded down.
    package static func duration(_ text: String) -> Int64? {
        let units: [(String, Int64)] = [
            ("ms", 1000), ("s", 1_000_000), ("m", 60_000_000), ("h", 3_600_000_000), ("d", 86_400_000_000),
        ]
        guard let value = amount(text, units), value <= FilterTerm.longestDuration else { return nil }
        return value
    }

    /// Parses a size into bytes; the unit's case doesn't matter.
    package static func size(_ text: String) -> Int64? {
        let units: [(String, Int64)] = [
            ("kib", 1 << 10), ("mib", 1 << 20), ("gib", 1 << 30), ("kb", 1000), ("mb", 1_000_000),
            ("gb", 1_000_000_000),
            ("b", 1), ("", 1),
        ]
        return amount(text.lowercased(), units)
    }

    /// Parses a decimal number followed by one of the units.
    private static func amount(_ text: String, _ units: [(name: String, factor: Int64)]) -> Int64? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let unit = units.first(where: { $0.name.utf8.elementsEqual(text.dropFirst(number.count).utf8) }) else {
            return nil
        }
        let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ digits(String($0)) }) else { return nil }
        let (product, isTooLarge) = whole.multipliedReportingOverflow(by: unit.factor)
        guard !isTooLarge else { return nil }
        guard parts.count == 2 else { return product }
        guard digits(String(parts[1].prefix(9))) != nil, parts[1].utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        let places = String(parts[1].prefix(9))
        let scale = (0..<places.utf8.count).reduce(Int64(1)) { scale, _ in scale * 10 }
        let part = (digits(places) ?? 0).multipliedFullWidth(by: unit.factor)
        let rest = scale.dividingFullWidth(part).quotient
        let (sum, isBeyond) = product.addingReportingOverflow(rest)
        return isBeyond ? nil : sum
    }

    /// Parses a moment relative to `now`; nil for any other text.
    package static func date(_ text: String, now: Date) -> Date? {
        moment(text).map { StoredTime.date($0.resolved(now: StoredTime.microseconds(of: now))) }
    }

    /// Parses a duration before now, a day in UTC, or an RFC 3339 date and time.
    static func moment(_ text: String) -> FilterMoment? {
        if let duration = duration(text) { return .ago(duration) }
        if text.utf8.count == 10, let date = RFC3339.date(from: text + "T00:00:00Z") {
            return .at(StoredTime.microseconds(of: date))
        }
        // The fraction is parsed separately: a Double of seconds can't represent microseconds in all years.
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            return RFC3339.date(from: text).map { .at(StoredTime.microseconds(of: $0)) }
        }
        let fraction = parts[1].prefix { $0.isASCII && $0.isNumber }
        guard let whole = RFC3339.date(from: String(parts[0] + parts[1][fraction.endIndex...])),
            let micros = digits(String((fraction + "000000").prefix(6))), !fraction.isEmpty
        else { return nil }
        return .at(StoredTime.microseconds(of: whole) + micros)
    }
}
