/// Caches the results of nested unions. Without it, each member of an outer union would decode the inner ones again,
/// doubling the work with each level.
struct UnionResults {
    /// A union at one position of the document, with its candidate types.
    struct Key: Hashable {
        let index: Int
        let types: [ObjectIdentifier]
    }

    /// The number of unions that are currently being decoded, one within another.
    var depth = 0
    var known: [Key: Result<Any, any Error>] = [:]
}

extension JSONTreeDecoder {
    /// True if the value has arrays or objects within it.
    package var holdsContainers: Bool {
        let entry = entry
        guard entry.isContainer else { return false }
        return Int(entry.extent) - index - 1 > Int(entry.count) * (entry.kind == .object ? 2 : 1)
    }

    /// Decodes a union at this place; a nested union is decoded only once for the same types.
    package func union<Union>(_ types: [ObjectIdentifier], _ read: () throws -> Union?) throws -> Union? {
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
    package var isObject: Bool { entry.kind == .object }

    /// False if the kind of the value rules out the type.
    ///
    /// - Parameter isObject: True if values of the type are encoded as objects.
    package func mayHold(_ type: any Decodable.Type, isObject: Bool) -> Bool {
        let entry = entry
        if type == String.self { return entry.kind == .string }
        if type == Int.self || type == Int64.self || type == Int32.self || type == Double.self { return entry.isNumber }
        if type == Bool.self { return entry.kind == .true || entry.kind == .false }
        return self.isObject || !isObject
    }
}
