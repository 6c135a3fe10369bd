/// The order in which the variants of a union are tried.
enum UnionOrder {
    /// Sorts variants: objects in document order, then arrays, dictionaries and scalars, the more specific ones first.
    static func sort(_ types: inout [TypeDeclaration]) {
        for index in types.indices {
            guard case .union(var union) = types[index].kind else { continue }
            union.variants = union.variants.enumerated().sorted { left, right in
                (rank(left.element.type, types), left.offset) < (rank(right.element.type, types), right.offset)
            }.map(\.element)
            types[index].kind = .union(union)
        }
    }

    private static func rank(_ type: TypeReference, _ types: [TypeDeclaration], hops: Int = 0) -> Int {
        switch type {
        case .named(let id):
            guard case .alias(let target) = types[id.index].kind, hops < 16 else { return 0 }
            return rank(target, types, hops: hops + 1)
        case .array: return 1
        case .dictionary: return 2
        case .optional(let inner): return rank(inner, types, hops: hops + 1)
        case .scalar(let scalar): return 3 + rank(scalar)
        }
    }

    private static func rank(_ scalar: TypeReference.Scalar) -> Int {
        switch scalar {
        case .bool: 0
        case .int8, .int16, .int32, .int64, .int, .uint, .uint8, .uint16, .uint32, .uint64: 1
        case .double, .decimal, .decimalText: 2
        case .uuid: 3
        case .date: 4
        case .calendarDate: 5
        case .url: 6
        case .data: 7
        case .string: 8
        case .json: 9
        }
    }
}
