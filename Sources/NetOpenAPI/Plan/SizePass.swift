/// A pass that stores large members outside their structs, and the values of large unions outside their enumerations.
///
/// Swift stores a nested struct inline, and generates code to copy, move and destroy each string and array in it again
/// for every enclosing struct. A member with many of them costs less behind one reference: in code size, in compile
/// time, and when a value is copied.
struct SizePass {
    /// The maximum number of references a member may contain inline.
    static let limit = 16

    var types: [TypeDeclaration]
    private var weights: [Int?]

    /// Runs the pass and returns the number of references in a value of each type.
    static func run(_ types: inout [TypeDeclaration]) -> [Int] {
        var pass = SizePass(types: types, weights: Array(repeating: nil, count: types.count))
        let weights = types.indices.map { pass.weight(of: $0) }
        types = pass.types
        return weights
    }

    /// Returns the number of references in a value of a type.
    private mutating func weight(of index: Int) -> Int {
        if let known = weights[index] { return known }
        // Recursive types are already boxed or indirect; one that is visited again on the way counts as a single
        // reference.
        weights[index] = 1
        let weight: Int
        switch types[index].kind {
        case .alias(let target): weight = self.weight(of: target)
        case .enumeration: weight = 1
        case .union(var union):
            let sum = union.variants.reduce(1) { $0 + self.weight(of: $1.type) }
            if sum > Self.limit { union.isIndirect = true }
            types[index].kind = .union(union)
            weight = union.isIndirect ? 1 : sum
        case .object(var object):
            var sum = 1
            for place in object.properties.indices {
                let part = self.weight(of: object.properties[place].type)
                if part > Self.limit { object.properties[place].isBoxed = true }
                sum += object.properties[place].isBoxed ? 1 : part
            }
            types[index].kind = .object(object)
            weight = sum
        case .pending, .removed: weight = 1
        }
        weights[index] = weight
        return weight
    }

    private mutating func weight(of type: TypeReference) -> Int {
        switch type {
        case .scalar(let scalar):
            switch scalar {
            case .string, .data, .url, .json: 1
            default: 0
            }
        case .array, .dictionary: 1
        case .optional(let inner): weight(of: inner)
        case .named(let id): weight(of: id.index)
        }
    }
}
