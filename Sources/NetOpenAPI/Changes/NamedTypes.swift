/// The types of a model under names that are comparable between two versions of a document.
struct NamedTypes {
    let model: APIModel
    private let names: [String]
    /// The declared types by name, without aliases: a change to the type behind an alias is reported where the alias is
    /// used.
    private(set) var declared: [String: TypeID] = [:]
    /// The names in the document's order.
    private(set) var order: [String] = []
    let reach: TypeReach

    init(_ model: APIModel) {
        self.model = model
        reach = TypeReach(operations: model.operations, types: model.types)
        names = model.types.indices.map { Self.name(of: TypeID(index: $0), in: model) }
        for index in model.types.indices {
            switch model.types[index].kind {
            case .object, .enumeration, .union: break
            case .alias, .pending, .removed: continue
            }
            guard declared[names[index]] == nil else { continue }
            declared[names[index]] = TypeID(index: index)
            order.append(names[index])
        }
    }

    private static func name(of id: TypeID, in model: APIModel, depth: Int = 0) -> String {
        let type = model[id]
        switch type.owner {
        case .type(let owner) where depth < 64: return name(of: owner, in: model, depth: depth + 1) + "." + type.rawName
        case .operation(let index) where model.operations.indices.contains(index):
            let operation = model.operations[index]
            return "\(operation.method) \(operation.path) \(type.rawName)"
        default: return type.rawName
        }
    }

    /// Returns a description of a type.
    func text(_ type: TypeReference) -> String {
        switch type {
        case .scalar(let scalar): return scalar == .json ? "any JSON" : scalar.rawValue
        case .array(let element): return "[\(text(element))]"
        case .dictionary(let value): return "[string: \(text(value))]"
        case .optional(let inner): return text(inner) + " or null"
        case .named(let id):
            if case .alias = model[id].kind { return text(model.unaliased(type)) }
            return names[id.index]
        }
    }

    func isSent(_ name: String) -> Bool { declared[name].map { reach.sent.contains($0) } ?? false }
    /// True if the type is part of a response. Also true if no operation uses the type, because any use is possible
    /// then.
    func isReceived(_ name: String) -> Bool {
        declared[name].map { reach.received.contains($0) || !reach.sent.contains($0) } ?? false
    }
}
