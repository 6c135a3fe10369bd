/// A pass that joins the enumerations of a union's variants for a member that each variant fixes to its own value.
///
/// `anyOf: [{issue: {enum: [A]}}, {issue: {enum: [B]}}]` means that `issue` is A or B: one enumeration with two cases
/// is easier to read than two with one case each, and a document with hundreds of them compiles in half the time.
struct VariantValuesPass {
    private var types: [TypeDeclaration]
    /// The types that stay unchanged: those that operations use directly, and the joined ones.
    private var kept: Set<TypeID>
    private var replaced: [TypeID: TypeID] = [:]

    static func run(_ types: inout [TypeDeclaration], _ operations: [OperationModel]) {
        var pass = VariantValuesPass(types: types, kept: named(in: operations))
        for index in types.indices {
            if case .union(let union) = types[index].kind { pass.share(in: union, TypeID(index: index)) }
        }
        pass.redirect()
        types = pass.types
    }

    private init(types: [TypeDeclaration], kept: Set<TypeID>) {
        self.types = types
        self.kept = kept
    }

    private mutating func share(in union: UnionModel, _ owner: TypeID) {
        var names: [String] = []
        var found: [String: [TypeID]] = [:]
        var seen: Set<TypeID> = []
        for variant in union.variants {
            guard case .named(let id) = variant.type, types[id.index].owner == .type(owner),
                case .object(let object) = types[id.index].kind
            else { continue }
            for property in object.properties {
                guard case .named(let value) = property.type, isFixed(value), replaced[value] == nil,
                    isAround(id, types[value.index].owner)
                else { continue }
                if found[property.name] == nil { names.append(property.name) }
                // Two variants may inherit the same one.
                guard seen.insert(value).inserted else { continue }
                found[property.name, default: []].append(value)
            }
        }
        for name in names {
            if let values = found[name], values.count > 1 { merge(values, name, owner) }
        }
    }

    /// True if the owner is the type itself or one that contains it; a type from elsewhere is used by others too.
    private func isAround(_ id: TypeID, _ owner: TypeDeclaration.Owner) -> Bool {
        var place = TypeDeclaration.Owner.type(id)
        for _ in 0..<64 {
            if place == owner { return true }
            guard case .type(let outer) = place else { return false }
            place = types[outer.index].owner
        }
        return false
    }

    /// True if a type is a string enumeration with a single value that may be joined with others.
    private func isFixed(_ id: TypeID) -> Bool {
        guard !kept.contains(id), !types[id.index].isComponent, case .enumeration(let model) = types[id.index].kind
        else { return false }
        return !model.isInteger && model.values.count == 1
    }

    private mutating func merge(_ ids: [TypeID], _ name: String, _ owner: TypeID) {
        var model = EnumModel(isInteger: false, values: [])
        var texts: Set<String> = []
        for id in ids {
            guard case .enumeration(let part) = types[id.index].kind else { continue }
            model.values += part.values.filter { texts.insert($0.text).inserted }
        }
        let first = ids[0]
        if ids.contains(where: { types[$0.index].documentation != types[first.index].documentation }) {
            types[first.index].documentation = Documentation()
        }
        types[first.index].kind = .enumeration(model)
        types[first.index].owner = .type(owner)
        types[first.index].rawName = name
        kept.insert(first)
        for id in ids.dropFirst() {
            types[id.index].kind = .removed
            replaced[id] = first
        }
    }

    private mutating func redirect() {
        guard !replaced.isEmpty else { return }
        for index in types.indices {
            switch types[index].kind {
            case .object(var object):
                for place in object.properties.indices { redirect(&object.properties[place].type) }
                object.additional = object.additional.map { $0.renamed(replaced) }
                types[index].kind = .object(object)
            case .union(var union):
                for place in union.variants.indices { redirect(&union.variants[place].type) }
                types[index].kind = .union(union)
            case .alias(let target): types[index].kind = .alias(target.renamed(replaced))
            case .pending, .removed, .enumeration: break
            }
        }
    }

    private func redirect(_ type: inout TypeReference) { type = type.renamed(replaced) }

    /// Returns the types that parameters, bodies and responses use directly.
    private static func named(in operations: [OperationModel]) -> Set<TypeID> {
        let used = operations.flatMap { operation in
            let answers = operation.successes + operation.failures
            return operation.sentTypes + operation.receivedTypes + answers.flatMap { $0.headers.map(\.type) }
        }
        return Set(used.compactMap(\.named))
    }
}
