internal import HTTPTypes

/// Reads and replaces one item of an encoded query; the others aren't changed.
enum PagingQuery {
    /// Returns the value of an item, not decoded; nil if there is none.
    static func value(of name: String, in url: String) -> String? {
        let name = QueryItems([.flag(name)]).encodedQuery
        for item in (URLReference(url).query ?? "").split(separator: "&") where key(item) == name {
            return String(item.dropFirst(name.count + 1))
        }
        return nil
    }

    /// Returns the path with the item in place of those with the same name.
    static func replacing(_ name: String, with value: String, in path: String) -> String {
        let mark = path.firstIndex(of: "?") ?? path.endIndex
        let encoded = QueryItems([.flag(name)]).encodedQuery
        let kept = path[mark...].dropFirst().split(separator: "&").filter { key($0) != encoded }
        return path[..<mark] + "?"
            + (kept.map(String.init) + [QueryItems([QueryItem(name, value)]).encodedQuery]).joined(separator: "&")
    }

    private static func key(_ item: Substring) -> Substring { item.prefix { $0 != "=" } }
}
