/// The results of unions inside other unions, so that the members of the outer one don't each read the inner ones anew: with
/// every level of such a document the work would double.
struct UnionResults {
    /// A union at one place, by the types that were considered.
    struct Key: Hashable {
        let index: Int
        let types: [ObjectIdentifier]
    }

    /// How many unions are being read, one inside the other.
    var depth = 0
    var known: [Key: Result<Any, any Error>] = [:]
}

extension JSONTreeDecoder {
    /// Whether there are arrays or objects inside the value.
    var holdsContainers: Bool {
        let entry = entry
        guard entry.isContainer else { return false }
        return Int(entry.extent) - index - 1 > Int(entry.count) * (entry.kind == .object ? 2 : 1)
    }

    /// The result of reading a union here; an inner union is read once for the types.
    func union<Union>(_ types: [ObjectIdentifier], _ read: () throws -> Union?) throws -> Union? {
        let key = UnionResults.Key(index: index, types: [ObjectIdentifier(Union.self)] + types)
        if let known = shared.unions.known[key] { return try known.get() as? Union }
        shared.unions.depth += 1
        let result = Result { try read() }
        shared.unions.depth -= 1
        if shared.unions.depth > 0 { shared.unions.known[key] = result.map { $0 as Any } }
        return try result.get()
    }
}

extension JSONTreeDecoder {
    /// Whether the value can be of a type, as far as its kind tells.
    func mayHold(_ type: any Decodable.Type) -> Bool {
        let entry = entry
        if type == String.self { return entry.kind == .string }
        if type == Int.self || type == Int64.self || type == Int32.self || type == Double.self { return entry.isNumber }
        if type == Bool.self { return entry.kind == .true || entry.kind == .false }
        return entry.kind == .object || !(type is any SchemaMembers.Type)
    }
}

extension Decoder {
    /// The members of an object; nil for any other value, without the cost of an error.
    var objectContainer: KeyedDecodingContainer<JSONKey>? {
        if let decoder = self as? JSONTreeDecoder, decoder.entry.kind != .object { return nil }
        return try? container(keyedBy: JSONKey.self)
    }
}
