/// A result builder for queries, from items, optionals, arrays, `if` and `for`; `nil` adds nothing.
///
///     @QueryBuilder var query: QueryItems {
///         QueryItem("page", 2)
///         if onlyOpen { QueryItem("state", "open") }
///         for tag in tags { QueryItem("tag", tag) }
///     }
@resultBuilder
public enum QueryBuilder {
    public static func buildExpression(_ item: QueryItem) -> QueryItems { [item] }
    public static func buildExpression(_ item: QueryItem?) -> QueryItems { QueryItems([item].compactMap { $0 }) }
    public static func buildExpression(_ items: QueryItems) -> QueryItems { items }
    public static func buildExpression(_ items: [QueryItem?]) -> QueryItems { QueryItems(items.compactMap { $0 }) }
    public static func buildBlock(_ parts: QueryItems...) -> QueryItems { QueryItems(parts.joined()) }
    public static func buildOptional(_ part: QueryItems?) -> QueryItems { part ?? [] }
    public static func buildEither(first part: QueryItems) -> QueryItems { part }
    public static func buildEither(second part: QueryItems) -> QueryItems { part }
    public static func buildArray(_ parts: [QueryItems]) -> QueryItems { QueryItems(parts.joined()) }
    public static func buildLimitedAvailability(_ part: QueryItems) -> QueryItems { part }
}
