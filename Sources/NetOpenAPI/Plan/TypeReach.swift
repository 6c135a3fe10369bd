/// Which types are part of what is sent, and which of what comes back.
struct TypeReach: Sendable {
    private(set) var sent: Set<TypeID> = []
    private(set) var received: Set<TypeID> = []

    init(operations: [OperationModel], types: [TypeDeclaration]) {
        for operation in operations {
            for type in operation.sentTypes { Self.mark(type, types, &sent) }
            for type in operation.receivedTypes { Self.mark(type, types, &received) }
        }
    }

    private static func mark(_ type: TypeReference, _ types: [TypeDeclaration], _ set: inout Set<TypeID>) {
        var waiting = [type]
        while let type = waiting.popLast() {
            switch type {
            case .scalar: break
            case .array(let inner), .dictionary(let inner), .optional(let inner): waiting.append(inner)
            case .named(let id):
                guard set.insert(id).inserted else { continue }
                waiting += parts(of: types[id.index].kind)
            }
        }
    }

    private static func parts(of kind: TypeDeclaration.Kind) -> [TypeReference] {
        switch kind {
        case .alias(let target): [target]
        case .object(let object): object.properties.map(\.type) + [object.additional].compactMap { $0 }
        case .union(let union): union.variants.map(\.type)
        case .enumeration, .pending, .removed: []
        }
    }
}

extension OperationModel {
    /// The types of what it sends: parameters and what the body is made of.
    var sentTypes: [TypeReference] {
        let types = parameters.map(\.type)
        switch body?.kind {
        case .json(let type), .form(let type, _): return types + [type]
        case .multipart(let parts):
            return types + parts.compactMap { if case .value(let type) = $0.kind { type } else { nil } }
        case .text, .raw, nil: return types
        }
    }

    /// The types of the bodies that come back.
    var receivedTypes: [TypeReference] {
        (successes + failures).compactMap { response in
            switch response.content {
            case .json(let type), .events(let type?), .sequence(let type, _): type
            case .none, .text, .binary, .events(nil): nil
            }
        }
    }
}
