extension RecursionPass {
    /// Removes unions from their own variants.
    ///
    /// A union that is one of its own variants, `anyOf: [itself, text]`, would be decoded as itself endlessly, so it
    /// keeps only the other variants. If several unions are variants of one another, each gets the other variants of
    /// all of them.
    mutating func breakUnions() {
        let edges = types.indices.map { index -> [Int] in
            switch types[index].kind {
            case .alias(let target): Self.stored(in: target)
            case .union(let union): union.variants.flatMap { Self.stored(in: $0.type) }
            default: []
            }
        }
        let groups = StronglyConnected.groups(of: edges)
        let cyclic = types.indices.filter { groups.isCyclic($0, edges) }
        var kinds: [Int: [UnionModel.Variant]] = [:]
        for index in cyclic {
            guard case .union(let union) = types[index].kind else { continue }
            kinds[groups.group(of: index), default: []] += union.variants.filter { variant in
                !Self.stored(in: variant.type).contains { groups.group(of: $0) == groups.group(of: index) }
            }
        }
        for index in cyclic {
            guard case .union(let union) = types[index].kind else { continue }
            let others = kinds[groups.group(of: index)] ?? []
            log.add(
                Diagnostic(
                    .warning, "the union '\(types[index].rawName)' is one of its own kinds, which adds nothing to it",
                    at: types[index].position))
            types[index].kind = others.isEmpty ? .alias(.json) : .union(Self.joined(union, others))
        }
    }

    /// Returns the union with these variants; those it declares itself keep their names and discriminator values.
    private static func joined(_ union: UnionModel, _ kinds: [UnionModel.Variant]) -> UnionModel {
        var joined = union
        joined.variants = []
        for var variant in kinds where !joined.variants.contains(where: { $0.type == variant.type }) {
            let own = union.variants.first { $0.type == variant.type }
            variant.discriminatorValue = own?.discriminatorValue
            joined.variants.append(own ?? variant)
        }
        return joined
    }
}
