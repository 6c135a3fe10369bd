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
    /// How deep groups are nested in it.
    private var depth = 0

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

    /// SQLite takes expressions that are a thousand levels deep, and each symbol adds one: many are joined in groups. Its parser has
    /// a stack of a hundred symbols: a group that begins with the deepest one adds one to it, a group that ends with it three.
    private static func joined(
        _ conditions: [FilterCondition], by symbol: String, isSelective: Bool
    ) -> FilterCondition {
        guard conditions.count <= 200 else {
            let groups = stride(from: 0, to: conditions.count, by: 200).map { start in
                let group = conditions[start..<min(start + 200, conditions.count)]
                return joined(Array(group), by: symbol, isSelective: isSelective)
            }
            return joined(groups, by: symbol, isSelective: isSelective)
        }
        let depths = Set(conditions.map(\.depth)).sorted(by: >)
        let ordered = depths.flatMap { depth in conditions.filter { $0.depth == depth } }
        var result = FilterCondition(
            "(" + ordered.map(\.sql).joined(separator: symbol) + ")", ordered.flatMap(\.values),
            isSelective: isSelective)
        result.depth = (depths.first ?? 0) + 1
        return result
    }
}
