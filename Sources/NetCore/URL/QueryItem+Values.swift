#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The format of a date in a query.
public enum QueryDateStyle: Sendable, Hashable {
    /// RFC 3339, such as `1970-01-01T00:00:00Z`, with milliseconds if the date has any. The default.
    case iso8601
    /// Whole seconds since 1970, rounded down.
    case secondsSince1970
    /// Milliseconds since 1970, rounded to the nearest.
    case millisecondsSince1970
}

extension QueryItem {
    /// Returns an item with a value; nil if the value is nil. A query builder ignores a nil item.
    ///
    ///     @QueryBuilder var query: QueryItems {
    ///         QueryItem("q", "swift")
    ///         QueryItem.optional("page", nil as Int?)
    ///     }
    ///     print(query.encodedQuery)  // q=swift
    public static func optional(_ name: String, _ value: (some LosslessStringConvertible)?) -> QueryItem? {
        value.map { QueryItem(name, $0) }
    }

    /// Creates an item with a UUID, in uppercase.
    public init(_ name: String, _ value: UUID) {
        self.init(name, value.uuidString)
    }

    /// Creates an item with the value `true` or `false`.
    public static func bool(_ name: String, _ value: Bool) -> QueryItem { QueryItem(name, value) }

    /// Returns an item if `isEnabled` is true; nil otherwise.
    ///
    ///     @QueryBuilder var query: QueryItems {
    ///         QueryItem.flag("archived", isEnabled: true)
    ///         QueryItem.flag("verbose", isEnabled: false)
    ///     }
    ///     print(query.encodedQuery)  // archived=true
    public static func flag(_ name: String, isEnabled: Bool, value: String? = "true") -> QueryItem? {
        isEnabled ? QueryItem(name, value) : nil
    }

    /// Returns one item per value, in order: `tag=a&tag=b`.
    public static func items(_ name: String, _ values: [some LosslessStringConvertible]) -> QueryItems {
        QueryItems(values.map { QueryItem(name, $0) })
    }

    /// Returns one item with all values, such as `ids=1,2,3`; nil if there are no values. Separators between the values
    /// are kept; those within a value are escaped.
    ///
    ///     @QueryBuilder var query: QueryItems { QueryItem.joined("names", ["a", "b,c"]) }
    ///     print(query.encodedQuery)  // names=a,b%2Cc
    ///
    /// - Parameters:
    ///   - name: The item's name.
    ///   - values: The values, in order.
    ///   - separator: The text between the values; `&`, `+`, `%` and characters that a query can't contain are escaped.
    public static func joined(
        _ name: String, _ values: [some LosslessStringConvertible], separator: String = ","
    ) -> QueryItem? {
        guard !values.isEmpty else { return nil }
        // `&` would end the item, and servers read `+` as a space.
        var between = ""
        for scalar in separator.unicodeScalars {
            let isKept = scalar != "&" && scalar != "+" && scalar != "%"
            PercentEncoding.append(String(scalar), allowing: isKept ? .query : .unreserved, to: &between)
        }
        let texts = values.map { PercentEncoding.encode($0.description) }
        return QueryItem(name, texts.joined(separator: between), isEncoded: true)
    }

    /// Creates an item with a date. If the style can't represent it, such as the year 10000 in RFC 3339, preparing the
    /// request throws `.invalidRequest`.
    ///
    ///     let item = QueryItem.date("since", Date(timeIntervalSince1970: 1.5), .millisecondsSince1970)
    ///     print(QueryItems([item]).encodedQuery)  // since=1500
    public static func date(_ name: String, _ date: Date, _ style: QueryDateStyle = .iso8601) -> QueryItem {
        let seconds = date.timeIntervalSince1970
        let number: Int64?
        switch style {
        case .iso8601:
            if RFC3339.canFormat(date) { return QueryItem(name, RFC3339.format(date)) }
            number = nil
        case .secondsSince1970: number = Int64(exactly: seconds.rounded(.down))
        case .millisecondsSince1970: number = Int64(exactly: (seconds * 1000).rounded())
        }
        if let number { return QueryItem(name, number) }
        var item = QueryItem.flag(name)
        item.problem = "the date of the query parameter \"\(name)\" can't be represented in this format"
        return item
    }
}
