#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A filter as a condition of SQL on the rows `i` of a table. It is met by the same entries as ``FilterEvaluation`` says.
///
/// The SQL is ours; values only ever travel as parameters. The connection needs
/// ``SQLiteConnection/addFilterFunctions()``. A condition that isn't met may be NULL instead of 0: don't negate it.
struct FilterCondition: Sendable {
    /// The condition, never empty.
    private(set) var sql: String
    /// The parameters, in the order of the question marks.
    private(set) var values: [SQLiteValue]
    /// Whether an index answers it: the rows that meet it are found without reading all others. They may be many all the same, or
    /// old: read newest first from the table until enough are found, and ask the index only if they weren't.
    private(set) var isSelective: Bool

    init(_ filter: ActivityFilter, table: FilterTable = .items, now: Date) {
        let builder = FilterConditionBuilder(table: table, now: StoredTime.microseconds(of: now))
        self = builder.condition(filter.node)
    }

    init(_ sql: String, _ values: [SQLiteValue] = [], isSelective: Bool = false) {
        self.sql = sql
        self.values = values
        self.isSelective = isSelective
    }

    static let every = FilterCondition("1")
    static let nothing = FilterCondition("0", isSelective: true)

    /// Every row that doesn't meet it, NULL included. No index helps there.
    var negated: FilterCondition { FilterCondition("(\(sql)) IS NOT TRUE", values) }

    /// One index is enough for all.
    static func all(_ conditions: [FilterCondition]) -> FilterCondition {
        joined(conditions, by: " AND ", isSelective: conditions.contains(where: \.isSelective))
    }

    /// Each needs an index of its own.
    static func any(_ conditions: [FilterCondition]) -> FilterCondition {
        joined(conditions, by: " OR ", isSelective: conditions.allSatisfy(\.isSelective))
    }

    private static func joined(
        _ conditions: [FilterCondition], by symbol: String, isSelective: Bool
    ) -> FilterCondition {
        FilterCondition(
            "(" + conditions.map(\.sql).joined(separator: symbol) + ")", conditions.flatMap(\.values),
            isSelective: isSelective)
    }
}
