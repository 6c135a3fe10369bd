/// The names that a decoder uses for the members of objects.
enum JSONNames {
    case asWritten
    case fromSnakeCase
    /// A closure derives the name from the path to the member.
    case custom(@Sendable ([any CodingKey]) -> any CodingKey)

    var areAsWritten: Bool { if case .asWritten = self { true } else { false } }

    /// Returns the name of a member; `path` leads to its object.
    func name(_ written: String, in path: @autoclosure () -> [any CodingKey]) -> String {
        switch self {
        case .asWritten: written
        case .fromSnakeCase: SnakeCase.camelCase(written)
        case .custom(let convert): convert(path() + [JSONKey(written)]).stringValue
        }
    }
}

extension JSONDocument {
    /// Returns the value at an index as a ``JSONValue``. If several members have the same name, the first one counts.
    ///
    /// - Throws: ``UnreadableJSON`` for invalid text, `DecodingError` for a number that no type can hold.
    func value(
        at index: Int = 0, names: JSONNames = .asWritten, path: @autoclosure () -> [any CodingKey] = []
    ) throws -> JSONValue {
        var reader = JSONValueReader(document: self, names: names, index: index)
        if case .custom = names { reader.path = path() }
        return try reader.value()
    }
}

/// Builds values from the outermost inwards.
private struct JSONValueReader {
    let document: JSONDocument
    let names: JSONNames
    var index: Int
    /// The path to the value; kept only for names that depend on it.
    var path: [any CodingKey] = []

    mutating func value() throws -> JSONValue {
        let entry = document.entries[index]
        switch entry.kind {
        case .array: return .array(try array(entry))
        case .object: return .object(try object(entry))
        case .null: index += 1
        case .true, .false:
            index += 1
            return .bool(entry.kind == .true)
        case .string:
            index += 1
            return .string(try document.string(at: index - 1))
        case .integer, .real:
            index += 1
            guard let number = document.number(at: index - 1) else { throw JSONFailure.number(path) }
            return number
        }
        return .null
    }

    private mutating func array(_ entry: JSONEntry) throws -> [JSONValue] {
        index += 1
        var elements: [JSONValue] = []
        elements.reserveCapacity(Int(entry.count))
        for place in 0..<Int(entry.count) {
            elements.append(try at(JSONIndexKey(place)) { try $0.value() })
        }
        return elements
    }

    private mutating func object(_ entry: JSONEntry) throws -> [String: JSONValue] {
        index += 1
        var members: [String: JSONValue] = [:]
        members.reserveCapacity(Int(entry.count))
        for _ in 0..<entry.count {
            let name = names.name(try document.string(at: index), in: path)
            index += 1
            // A repeated member doesn't count, but its value is checked too.
            let value = try at(JSONKey(name)) { try $0.value() }
            if members[name] == nil { members[name] = value }
        }
        return members
    }

    private mutating func at(
        _ key: some CodingKey, _ read: (inout JSONValueReader) throws -> JSONValue
    ) throws -> JSONValue {
        guard case .custom = names else { return try read(&self) }
        path.append(key)
        defer { path.removeLast() }
        return try read(&self)
    }
}
