extension Path {
    /// Appends a path parameter in the style `simple`, `label` or `matrix`.
    ///
    /// Escapes everything except unreserved characters, so that a value never starts a new segment. A value that can't
    /// be encoded makes preparing the request throw `.invalidRequest`.
    @_spi(Generated) public mutating func append(
        parameter name: String, _ value: some Encodable, style: ParameterStyle = .simple, explode: Bool = false
    ) {
        guard let value = try? ParameterValue(value) else {
            return refuse("the value of the path parameter \"\(name)\" cannot be encoded")
        }
        append(escaped: style.expanded(value, name: name, explode: explode) { PercentEncoding.encode($0) })
    }
}

extension QueryItem {
    /// Returns a query parameter in the style `form`, `spaceDelimited`, `pipeDelimited` or `deepObject`.
    ///
    /// The result is empty for nil, and unless `allowsEmpty` is true, for an empty list and an empty object; with it,
    /// an empty list and `.null` are the name without a value. A value that can't be encoded makes preparing the
    /// request throw `.invalidRequest`.
    @_spi(Generated) public static func parameter(
        _ name: String, _ value: (some Encodable)?, style: ParameterStyle = .form, explode: Bool = true,
        allowsReserved: Bool = false, allowsEmpty: Bool = false
    ) -> QueryItems {
        guard let value else { return [] }
        do {
            let value = try ParameterValue(value)
            if allowsEmpty, value == .null || value == .array([]) { return [QueryItem(name, "")] }
            return style.items(value, name: name, explode: explode, allowsReserved: allowsReserved)
        } catch {
            return [unsendable(name)]
        }
    }

    /// Returns a query parameter with JSON content; nil if the value is nil.
    @_spi(Generated) public static func jsonParameter(_ name: String, _ value: (some Encodable)?) -> QueryItem? {
        guard let value else { return nil }
        guard let bytes = try? JSONCoding.standard.encode(value) else { return unsendable(name) }
        return QueryItem(name, String(decoding: bytes, as: UTF8.self))
    }

    /// Returns a placeholder for a value that can't be encoded, so that it isn't omitted silently.
    private static func unsendable(_ name: String) -> QueryItem {
        var item = QueryItem.flag(name)
        item.problem = "the value of the query parameter \"\(name)\" cannot be encoded"
        return item
    }
}
