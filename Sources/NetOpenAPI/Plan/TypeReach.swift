/// The types that are part of requests, and those that are part of responses.
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
                waiting += types[id.index].kind.parts
            }
        }
    }
}

extension TypeDeclaration.Kind {
    /// The types that a value of the declared type consists of.
    var parts: [TypeReference] {
        switch self {
        case .alias(let target): [target]
        case .object(let object): object.properties.map(\.type) + [object.additional].compactMap { $0 }
        case .union(let union): union.variants.map(\.type)
        case .enumeration, .pending, .removed: []
        }
    }
}

extension OperationModel {
    /// The types of the parameters and of the request body.
    var sentTypes: [TypeReference] {
        let types = parameters.map(\.type)
        switch body?.kind {
        case .json(let type), .form(let type, _): return types + [type]
        case .multipart(let parts):
            return types + parts.compactMap { if case .value(let type) = $0.kind { type } else { nil } }
                + parts.flatMap(\.headers).map(\.type)
        case .text, .raw, nil: return types
        }
    }

    /// The types of the response bodies.
    var receivedTypes: [TypeReference] {
        (successes + failures).compactMap { response in
            switch response.content {
            case .json(let type), .events(let type?), .sequence(let type, _): type
            case .none, .text, .binary, .events(nil): nil
            }
        }
    }
}
