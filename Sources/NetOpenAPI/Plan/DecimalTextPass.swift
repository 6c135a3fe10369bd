/// Changes decimal numbers in strings to plain strings where a value is coded as a whole: only the members of an object
/// can be coded as a type other than their own.
enum DecimalTextPass {
    static func run(_ types: inout [TypeDeclaration], _ operations: inout [OperationModel]) {
        let resolver = Resolver(types: types)
        guard resolver.hasDecimalTexts else { return }
        for index in types.indices {
            switch types[index].kind {
            case .object(var object):
                object.additional = object.additional.map(resolver.plain)
                types[index].kind = .object(object)
            case .union(var union):
                for place in union.variants.indices {
                    union.variants[place].type = resolver.plain(union.variants[place].type)
                }
                types[index].kind = .union(union)
            default: break
            }
        }
        for index in operations.indices {
            if case .json(let type)? = operations[index].body?.kind {
                operations[index].body?.kind = .json(resolver.plain(type))
            }
            for place in operations[index].successes.indices {
                operations[index].successes[place].content = resolver.plain(operations[index].successes[place].content)
            }
            for place in operations[index].failures.indices {
                operations[index].failures[place].content = resolver.plain(operations[index].failures[place].content)
            }
        }
    }

    private struct Resolver {
        let types: [TypeDeclaration]

        var hasDecimalTexts: Bool {
            types.contains { $0.kind.parts.contains { holds($0, depth: 0) } }
        }

        /// True if a value of the type is, or is a list or dictionary of, a decimal number in a string.
        func holds(_ type: TypeReference, depth: Int) -> Bool {
            switch type {
            case .scalar(let scalar): return scalar == .decimalText
            case .array(let inner), .dictionary(let inner), .optional(let inner): return holds(inner, depth: depth)
            case .named(let id):
                guard depth < 64, case .alias(let target) = types[id.index].kind else { return false }
                return holds(target, depth: depth + 1)
            }
        }

        func plain(_ type: TypeReference) -> TypeReference { holds(type, depth: 0) ? replaced(type) : type }

        private func replaced(_ type: TypeReference) -> TypeReference {
            switch type {
            case .scalar: return .string
            case .array(let inner): return .array(replaced(inner))
            case .dictionary(let inner): return .dictionary(replaced(inner))
            case .optional(let inner): return .optional(replaced(inner))
            case .named(let id):
                guard case .alias(let target) = types[id.index].kind else { return type }
                return replaced(target)
            }
        }

        func plain(_ content: ResponseModel.Content) -> ResponseModel.Content {
            switch content {
            case .json(let type): .json(plain(type))
            case .events(let type): .events(type.map(plain))
            case .sequence(let type, let separators): .sequence(plain(type), hasRecordSeparators: separators)
            case .none, .text, .binary: content
            }
        }
    }
}

extension APIModel {
    /// True if a property of the type is coded as strings although it is a decimal number, or a list or dictionary of
    /// them.
    func isDecimalText(_ type: TypeReference) -> Bool {
        switch unaliased(type) {
        case .scalar(let scalar): scalar == .decimalText
        case .array(let inner), .dictionary(let inner), .optional(let inner): isDecimalText(inner)
        case .named: false
        }
    }
}
