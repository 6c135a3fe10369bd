/// A result builder for queries, from items, optionals, arrays, `if` and `for`; `nil` adds nothing.
///
///     @QueryBuilder var query: [QueryItem] {
///         QueryItem("page", 2)
///         if onlyOpen { QueryItem("state", "open") }
///         for tag in tags { QueryItem("tag", tag) }
///     }
@resultBuilder
public enum QueryBuilder {
    public static func buildExpression(_ item: QueryItem) -> [QueryItem] { [item] }
    public static func buildExpression(_ item: QueryItem?) -> [QueryItem] { item.map { [$0] } ?? [] }
    public static func buildExpression(_ items: [QueryItem]) -> [QueryItem] { items }
    public static func buildExpression(_ items: [QueryItem?]) -> [QueryItem] { items.compactMap { $0 } }
    public static func buildBlock(_ parts: [QueryItem]...) -> [QueryItem] { parts.flatMap { $0 } }
    public static func buildOptional(_ part: [QueryItem]?) -> [QueryItem] { part ?? [] }
    public static func buildEither(first part: [QueryItem]) -> [QueryItem] { part }
    public static func buildEither(second part: [QueryItem]) -> [QueryItem] { part }
    public static func buildArray(_ parts: [[QueryItem]]) -> [QueryItem] { parts.flatMap { $0 } }
    public static func buildLimitedAvailability(_ part: [QueryItem]) -> [QueryItem] { part }
}
