#if Server
internal import NetCore

/// A query, form or header value before its schema determines the type: texts, in lists and under names.
indirect enum FormValue: Sendable {
    case text(String)
    case list([FormValue])
    case object([(name: String, value: FormValue)])

    /// Combines items such as `a[b][]=1`.
    static func nested(_ items: [(path: [String], text: String)]) -> FormValue {
        if items.allSatisfy({ $0.path.isEmpty }) {
            return items.count == 1 ? .text(items[0].text) : .list(items.map { .text($0.text) })
        }
        var names: [String] = []
        var groups: [String: [(path: [String], text: String)]] = [:]
        for item in items {
            let name = item.path.first ?? ""
            if groups[name] == nil { names.append(name) }
            groups[name, default: []].append((Array(item.path.dropFirst()), item.text))
        }
        if names == [""], let inner = groups[""] {
            if inner.allSatisfy({ $0.path.isEmpty }) { return .list(inner.map { .text($0.text) }) }
            return .list([nested(inner)])
        }
        if names.allSatisfy({ Int($0) != nil }) { return .list(names.map { nested(groups[$0] ?? []) }) }
        return .object(names.map { ($0, nested(groups[$0] ?? [])) })
    }

    /// The names in `a[b][c]`, percent-encoded or not. A name whose brackets aren't closed is returned as it is.
    static func path(_ name: String) -> [String] {
        guard name.hasSuffix("]"), let open = name.firstIndex(of: "["), open > name.startIndex else { return [name] }
        let inner = name[name.index(after: open)...].dropLast()
        let parts = inner.split(separator: "]", omittingEmptySubsequences: false).enumerated().map { place, part in
            place > 0 && part.hasPrefix("[") ? part.dropFirst() : part
        }
        return [String(name[..<open])] + parts.map(String.init)
    }
}

/// Converts texts into values of the types that a schema declares.
struct TextReader {
    let set: SchemaSet
    let direction: BodyDirection

    func value(_ form: FormValue, _ schema: SchemaID?, depth: Int = 0) -> JSONValue {
        guard depth < 64 else { return .null }
        let types = schema.map { set.types(of: $0) } ?? JSONTypes(rawValue: 127)
        let isList = types.contains(.array) && types.isDisjoint(with: [.string, .number, .integer, .boolean, .object])
        switch form {
        case .text(let text):
            if isList, !text.hasPrefix("[") {
                let element = schema.flatMap { set.element(0, of: $0) }
                return .array([value(.text(text), element, depth: depth + 1)])
            }
            return scalar(text, schema, types)
        case .list(let elements):
            if !types.contains(.array), elements.count == 1 { return value(elements[0], schema, depth: depth + 1) }
            return .array(
                elements.enumerated().map { place, element in
                    value(element, schema.flatMap { set.element(place, of: $0) }, depth: depth + 1)
                })
        case .object(let members):
            let pairs = members.map { name, member in
                (name, value(member, schema.flatMap { set.property(name, of: $0) }, depth: depth + 1))
            }
            return .object(Dictionary(pairs, uniquingKeysWith: { $1 }))
        }
    }

    /// Returns a text as the number, boolean or null that the schema expects, if possible; otherwise as a string.
    private func scalar(_ text: String, _ schema: SchemaID?, _ types: JSONTypes) -> JSONValue {
        guard let schema else { return .string(text) }
        var readings: [JSONValue] = []
        if !types.isDisjoint(with: [.integer, .number]), let number = JSONValue(number: text) {
            readings.append(number)
        }
        if types.contains(.boolean), text == "true" || text == "false" { readings.append(.bool(text == "true")) }
        if types.contains(.null), text.isEmpty || text == "null" { readings.append(.null) }
        if !types.isDisjoint(with: [.array, .object]), text.hasPrefix("[") || text.hasPrefix("{"),
            let value = try? JSONCoding.standard.decode(JSONValue.self, from: Bytes(text.utf8))
        {
            readings.append(value)
        }
        guard types.contains(.string) else { return readings.first ?? .string(text) }
        readings.append(.string(text))
        return readings.first { SchemaCheck.accepts($0, schema, in: set, direction) } ?? .string(text)
    }
}
#endif
