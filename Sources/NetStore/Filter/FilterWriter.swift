internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Writes a filter as an expression that parses to an equal value.
enum FilterWriter {
    static func text(_ node: FilterNode) -> String {
        switch node {
        case .every: "~all"
        case .nothing: "!~all"
        case .term(let term): text(term)
        case .not(let inner): "!" + operand(inner)
        case .both(let members): members.map(operand).joined(separator: " & ")
        case .either(let members):
            members.map { member in if case .both = member { text(member) } else { operand(member) } }
                .joined(separator: " | ")
        }
    }

    /// Adds parentheses around more than one term.
    private static func operand(_ node: FilterNode) -> String {
        switch node {
        case .every, .nothing, .term, .not: text(node)
        case .both, .either: "(" + text(node) + ")"
        }
    }

    private static func text(_ term: FilterTerm) -> String {
        switch term {
        case .flag(let flag): "~" + flag.rawValue
        case .text(.word, let pattern): word(pattern)
        case .text(let field, let pattern): "~\(field.rawValue) \(word(pattern))"
        case .status(let range): "~c \(status(range))"
        case .slower(let duration): "~slower \(text(duration: duration))"
        case .faster(let duration): "~faster \(text(duration: duration))"
        case .larger(let bytes): "~larger \(size(bytes))"
        case .since(let moment): "~since \(text(moment))"
        case .until(let moment): "~until \(text(moment))"
        case .run(let number): "~run \(number)"
        }
    }

    /// Adds quotes if the text contains a character that is special outside quotes.
    private static func word(_ pattern: FilterPattern) -> String {
        let text = pattern.text
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            scalar.value > 32 && scalar.value != 127 && !scalar.properties.isWhitespace
                && !"()&|!~\"'\\".unicodeScalars.contains(scalar)
        }
        guard text.isEmpty || !isPlain else { return text }
        var quoted = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\"" { quoted.append("\\") }
            quoted.append(scalar)
        }
        return "\"\(String(quoted))\""
    }

    private static func status(_ range: ClosedRange<Int>) -> String {
        let (low, high) = (range.lowerBound, range.upperBound)
        if low == high { return "\(low)" }
        if low % 100 == 0, high == low + 99, high < 1000 { return "\(low / 100)xx" }
        return "\(low)-\(high)"
    }

    private static func text(duration: Int64) -> String {
        for (unit, factor) in [("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000)]
            as [(String, Int64)]
        where duration > 0 && duration % factor == 0 {
            return "\(duration / factor)\(unit)"
        }
        return "\(decimal(duration, places: 3))ms"
    }

    private static func size(_ bytes: Int64) -> String {
        let units: [(String, Int64)] = [
            ("GB", 1_000_000_000), ("MB", 1_000_000), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KB", 1000),
            ("KiB", 1 << 10),
        ]
        for (unit, factor) in units where bytes > 0 && bytes % factor == 0 { return "\(bytes / factor)\(unit)" }
        return "\(bytes)B"
    }

    private static func text(_ moment: FilterMoment) -> String {
        switch moment {
        case .ago(let duration): return text(duration: duration)
        case .at(let micros):
            let (seconds, fraction) = (
                micros.floored(by: 1_000_000), micros - micros.floored(by: 1_000_000) * 1_000_000
            )
            let text = RFC3339.format(StoredTime.date(seconds * 1_000_000))
            guard fraction > 0 else { return text }
            let digits = String(fraction)
            return text.dropLast() + "." + String(repeating: "0", count: 6 - digits.count) + digits + "Z"
        }
    }

    /// Returns a fixed-point number with the given decimal places as a decimal without trailing zeros.
    private static func decimal(_ value: Int64, places: Int) -> String {
        let digits = String(value)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        let fraction = String(padded.suffix(places)).reversed().drop { $0 == "0" }.reversed()
        return padded.dropLast(places) + (fraction.isEmpty ? "" : "." + String(fraction))
    }
}

extension Int64 {
    /// Returns the quotient, rounded down.
    fileprivate func floored(by divisor: Int64) -> Int64 {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}
