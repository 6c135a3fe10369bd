extension ActivityFilter {
    /// Returns a filter for entries that match both.
    public static func & (left: ActivityFilter, right: ActivityFilter) -> ActivityFilter {
        ActivityFilter(node: .all([left.node, right.node]))
    }

    /// Returns a filter for entries that match at least one.
    public static func | (left: ActivityFilter, right: ActivityFilter) -> ActivityFilter {
        ActivityFilter(node: .any([left.node, right.node]))
    }

    /// Returns a filter for entries that don't match.
    public static prefix func ! (filter: ActivityFilter) -> ActivityFilter {
        ActivityFilter(node: filter.node.negated)
    }
}
