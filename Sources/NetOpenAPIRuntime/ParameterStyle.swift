/// The serialization style of a parameter's value (OpenAPI Specification, style values).
@_spi(Generated) public enum ParameterStyle: Sendable, Hashable {
    case simple, label, matrix, form, spaceDelimited, pipeDelimited, deepObject
}

extension ParameterStyle {
    /// Returns a path or header value. `escape` is applied to names and texts, never to delimiters.
    func expanded(
        _ value: ParameterValue, name: String, explode: Bool, escape: (String) -> String
    ) -> String {
        let name = escape(name)
        switch (self, value) {
        case (.matrix, .array(let elements)) where explode:
            return elements.map { matrixPair(name, escape($0.text)) }.joined()
        case (.matrix, .object(let members)) where explode:
            return members.map { matrixPair(escape($0.name), escape($0.value.text)) }.joined()
        case (.matrix, _):
            return matrixPair(name, joined(value, ",", explode: false, escape))
        case (.label, _):
            return "." + joined(value, explode ? "." : ",", explode: explode, escape)
        default:
            return joined(value, ",", explode: explode, escape)
        }
    }

    private func matrixPair(_ name: String, _ text: String) -> String {
        text.isEmpty ? ";\(name)" : ";\(name)=\(text)"
    }

    private func joined(
        _ value: ParameterValue, _ separator: String, explode: Bool, _ escape: (String) -> String
    ) -> String {
        switch value {
        case .null, .scalar:
            return escape(value.text)
        case .array(let elements):
            return elements.map { escape($0.text) }.joined(separator: separator)
        case .object(let members):
            let pairs = members.map { ($0.name, $0.value.text) }
            return pairs.map { "\(escape($0))\(explode ? "=" : separator)\(escape($1))" }.joined(separator: separator)
        }
    }

    /// Returns the items of a query, cookie or form value; none for an empty list or object.
    func items(_ value: ParameterValue, name: String, explode: Bool, allowsReserved: Bool) -> QueryItems {
        func item(_ name: String, _ text: String) -> QueryItem {
            QueryItem(name, text, allowsReserved: allowsReserved)
        }
        switch value {
        case .null:
            return []
        case .scalar(let text):
            return [item(name, text)]
        case .array(let elements):
            if self == .deepObject || (explode && delimiter == ",") {
                return QueryItems(elements.map { item(name, $0.text) })
            }
            return list(elements.map(\.text), name, allowsReserved)
        case .object(let members):
            if self == .deepObject { return QueryItems(members.flatMap { deepItems($0, in: name, item) }) }
            if explode, delimiter == "," {
                return QueryItems(members.filter { $0.value != .null }.map { item($0.name, $0.value.text) })
            }
            return list(members.flatMap { [$0.name, $0.value.text] }, name, allowsReserved)
        }
    }

    private var delimiter: String {
        switch self {
        case .spaceDelimited: "%20"
        case .pipeDelimited: "%7C"
        default: ","
        }
    }

    private func list(_ texts: [String], _ name: String, _ allowsReserved: Bool) -> QueryItems {
        guard !texts.isEmpty else { return [] }
        let escaped = texts.map { PercentEncoding.encode($0, allowing: allowsReserved ? .query : .unreserved) }
        return [QueryItem(name, escaped.joined(separator: delimiter), isEncoded: true)]
    }

    /// Returns items such as `filter[a]=1`. Deeper objects continue in brackets and lists repeat the name; the
    /// specification leaves both open.
    private func deepItems(
        _ member: ParameterValue.Member, in name: String, _ item: (String, String) -> QueryItem
    ) -> QueryItems {
        let name = "\(name)[\(member.name)]"
        switch member.value {
        case .null: return []
        case .scalar(let text): return [item(name, text)]
        case .array(let elements): return QueryItems(elements.map { item(name, $0.text) })
        case .object(let members): return QueryItems(members.flatMap { deepItems($0, in: name, item) })
        }
    }
}
