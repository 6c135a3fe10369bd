#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A filter as an SQL condition on `net_item AS i`. ``FilterEvaluation`` matches the same entries.
///
/// Values are passed only as parameters. The connection needs ``SQLiteConnection/addFilterFunctions()``. A condition
/// that isn't met may be NULL instead of 0: don't negate it in SQL.
struct FilterCondition: Sendable {
    /// The condition, never empty.
    private(set) var sql: String
    /// The parameters, in the order of the question marks.
    private(set) var values: [SQLiteValue]
    /// The number of nested groups in the condition.
    private var depth = 0

    init(_ filter: ActivityFilter, now: Date) {
        let builder = FilterConditionBuilder(now: StoredTime.microseconds(of: now))
        self = builder.condition(filter.node)
    }

    init(_ sql: String, _ values: [SQLiteValue] = []) {
        self.sql = sql
        self.values = values
    }

    static let every = FilterCondition("1")
    static let nothing = FilterCondition("0")

    /// The condition for rows that don't meet this one, including rows where it's NULL. It can't use an index.
    var negated: FilterCondition { FilterCondition("(\(sql)) IS NOT TRUE", values) }

    /// Returns a condition for the rows that meet all conditions; an index for one of them suffices.
    static func all(_ conditions: [FilterCondition]) -> FilterCondition {
        joined(conditions, by: " AND ")
    }

    /// Returns a condition for the rows that meet at least one condition; each condition needs an index.
    static func any(_ conditions: [FilterCondition]) -> FilterCondition {
        joined(conditions, by: " OR ")
    }

    /// Keeps within SQLite's limits. An expression has at most 1,000 levels, and each operator adds one: long lists are
    /// joined in groups. The parser's stack has 100 symbols: a group that starts with its deepest member adds one, any
    /// other adds three.
    private static func joined(
        _ conditions: [FilterCondition], by symbol: String
    ) -> FilterCondition {
        guard conditions.count <= 200 else {
            let groups = stride(from: 0, to: conditions.count, by: 200).map { start in
                let group = conditions[start..<min(start + 200, conditions.count)]
                return joined(Array(group), by: symbol)
            }
            return joined(groups, by: symbol)
        }
        let depths = Set(conditions.map(\.depth)).sorted(by: >)
        let ordered = depths.flatMap { depth in conditions.filter { $0.depth == depth } }
        var result = FilterCondition(
            "(" + ordered.map(\.sql).joined(separator: symbol) + ")", ordered.flatMap(\.values))
        result.depth = (depths.first ?? 0) + 1
        return result
    }
}
