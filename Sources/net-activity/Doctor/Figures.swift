#if Tools
internal import NetCore
internal import NetStore

/// Formats numbers for sentences.
enum Figures {
    /// Returns `1 call`, `1,204 calls`.
    static func counted(_ count: Int, _ noun: String) -> String { "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")" }

    /// Returns ` and 3 jobs`; an empty text for none.
    static func jobs(_ count: Int) -> String { count == 0 ? "" : " and " + counted(count, "job") }

    /// Returns a number such as `1,204`.
    static func grouped(_ number: Int) -> String {
        var text = String(number.magnitude)
        var index = text.count - 3
        while index > 0 {
            text.insert(",", at: text.index(text.startIndex, offsetBy: index))
            index -= 3
        }
        return (number < 0 ? "-" : "") + text
    }

    /// Returns a percentage such as `43 %`, without decimals.
    static func share(_ part: Int, of whole: Int) -> String { "\(whole > 0 ? (part * 100 + whole / 2) / whole : 0) %" }

    static func seconds(_ seconds: Double) -> String { Duration.seconds(seconds).short }

    /// Returns the value at the given quantile; zero if there are no values.
    static func quantile(_ share: Double, _ values: [Duration]) -> Duration {
        guard !values.isEmpty else { return .zero }
        let sorted = values.sorted()
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    static func sum(_ values: [Duration]) -> Duration { values.reduce(.zero, +) }

    /// Returns the most frequent value and its count.
    static func most<Value: Hashable & Comparable>(_ values: [Value]) -> (value: Value, count: Int)? {
        var counts: [Value: Int] = [:]
        for value in values { counts[value, default: 0] += 1 }
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { ($0.key, $0.value) }
    }
}
#endif
