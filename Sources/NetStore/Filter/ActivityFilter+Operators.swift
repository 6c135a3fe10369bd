extension ActivityFilter {
    /// Meets both.
    public static func & (left: ActivityFilter, right: ActivityFilter) -> ActivityFilter {
        ActivityFilter(node: .all([left.node, right.node]))
    }

    /// Meets one of them, or both.
    public static func | (left: ActivityFilter, right: ActivityFilter) -> ActivityFilter {
        ActivityFilter(node: .any([left.node, right.node]))
    }

    /// Doesn't meet it.
    public static prefix func ! (filter: ActivityFilter) -> ActivityFilter {
        ActivityFilter(node: filter.node.negated)
    }
}
