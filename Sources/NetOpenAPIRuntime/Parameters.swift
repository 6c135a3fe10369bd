extension Path {
    /// Appends a path parameter in one of the styles `simple`, `label` and `matrix`.
    ///
    /// Everything but unreserved characters is escaped, so that a value never opens a new segment. A value that cannot be
    /// encoded makes preparing the request throw `.invalidRequest`.
    public mutating func append(
        parameter name: String, _ value: some Encodable, style: ParameterStyle = .simple, explode: Bool = false
    ) {
        guard let value = try? ParameterValue(value) else {
            return refuse("the value of the path parameter \"\(name)\" cannot be encoded")
        }
        append(escaped: style.expanded(value, name: name, explode: explode) { PercentEncoding.encode($0) })
    }
}

extension QueryItem {
    /// A query parameter in one of the styles `form`, `spaceDelimited`, `pipeDelimited` and `deepObject`.
    ///
    /// Nil, an empty list and an empty object send nothing. A value that cannot be encoded makes preparing the request
    /// throw `.invalidRequest`.
    public static func parameter(
        _ name: String, _ value: (some Encodable)?, style: ParameterStyle = .form, explode: Bool = true,
        allowsReserved: Bool = false
    ) -> [QueryItem] {
        guard let value else { return [] }
        do {
            let value = try ParameterValue(value)
            return style.items(value, name: name, explode: explode, allowsReserved: allowsReserved)
        } catch {
            return [unsendable(name)]
        }
    }

    /// A query parameter whose content is JSON; nil sends nothing.
    public static func jsonParameter(_ name: String, _ value: (some Encodable)?) -> QueryItem? {
        guard let value else { return nil }
        guard let bytes = try? JSONCoding.standard.encode(value) else { return unsendable(name) }
        return QueryItem(name, String(decoding: bytes, as: UTF8.self))
    }

    /// Stands for a value whose own encoding failed, so that it is not left out without a word.
    private static func unsendable(_ name: String) -> QueryItem {
        var item = QueryItem.flag(name)
        item.problem = "the value of the query parameter \"\(name)\" cannot be encoded"
        return item
    }
}
