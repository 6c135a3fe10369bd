/// Which types are part of what is sent, and which of what comes back.
struct TypeReach: Sendable {
    private(set) var sent: Set<TypeID> = []
    private(set) var received: Set<TypeID> = []

    init(operations: [OperationModel], types: [TypeDeclaration]) {
        for operation in operations {
            for parameter in operation.parameters { Self.mark(parameter.type, types, &sent) }
            switch operation.body?.kind {
            case .json(let type), .form(let type, _): Self.mark(type, types, &sent)
            case .multipart(let parts):
                for case .value(let type) in parts.map(\.kind) { Self.mark(type, types, &sent) }
            case .text, .raw, nil: break
            }
            for response in operation.successes + operation.failures {
                switch response.content {
                case .json(let type), .events(let type?), .sequence(let type, _): Self.mark(type, types, &received)
                case .none, .text, .binary, .events(nil): break
                }
            }
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
