/// Replaces types according to the configuration: enumerations by their values, and dates by their texts.
enum ChoicePass {
    static func run(
        _ types: inout [TypeDeclaration], _ operations: inout [OperationModel], _ configuration: GeneratorConfiguration
    ) {
        if configuration.enumerations == .values {
            for index in types.indices {
                guard case .enumeration(let enumeration) = types[index].kind else { continue }
                types[index].kind = .alias(.scalar(enumeration.isInteger ? .int64 : .string))
            }
        }
        guard configuration.dates == .text else { return }
        for index in types.indices { types[index].kind = types[index].kind.mapped(text) }
        for index in operations.indices { operations[index].map(text) }
    }

    private static func text(_ scalar: TypeReference.Scalar) -> TypeReference.Scalar {
        scalar == .date || scalar == .calendarDate ? .string : scalar
    }
}

extension TypeReference {
    /// Returns the same reference with scalars replaced.
    fileprivate func mapped(_ change: (Scalar) -> Scalar) -> TypeReference {
        switch self {
        case .scalar(let scalar): .scalar(change(scalar))
        case .array(let inner): .array(inner.mapped(change))
        case .dictionary(let inner): .dictionary(inner.mapped(change))
        case .optional(let inner): .optional(inner.mapped(change))
        case .named: self
        }
    }
}

extension TypeDeclaration.Kind {
    fileprivate func mapped(_ change: (TypeReference.Scalar) -> TypeReference.Scalar) -> Self {
        switch self {
        case .alias(let target): return .alias(target.mapped(change))
        case .object(var object):
            for place in object.properties.indices {
                object.properties[place].type = object.properties[place].type.mapped(change)
            }
            object.additional = object.additional?.mapped(change)
            return .object(object)
        case .union(var union):
            for place in union.variants.indices {
                union.variants[place].type = union.variants[place].type.mapped(change)
            }
            return .union(union)
        case .enumeration, .pending, .removed: return self
        }
    }
}

extension OperationModel {
    fileprivate mutating func map(_ change: (TypeReference.Scalar) -> TypeReference.Scalar) {
        for place in parameters.indices { parameters[place].type = parameters[place].type.mapped(change) }
        switch body?.kind {
        case .json(let type): body?.kind = .json(type.mapped(change))
        case .form(let type, let encodings): body?.kind = .form(type.mapped(change), encodings)
        case .multipart(var parts):
            for place in parts.indices {
                if case .value(let type) = parts[place].kind { parts[place].kind = .value(type.mapped(change)) }
                for header in parts[place].headers.indices {
                    parts[place].headers[header].type = parts[place].headers[header].type.mapped(change)
                }
            }
            body?.kind = .multipart(parts)
        case .text, .raw, nil: break
        }
        for place in successes.indices { successes[place].map(change) }
        for place in failures.indices { failures[place].map(change) }
    }
}

extension ResponseModel {
    fileprivate mutating func map(_ change: (TypeReference.Scalar) -> TypeReference.Scalar) {
        switch content {
        case .json(let type): content = .json(type.mapped(change))
        case .events(let type): content = .events(type?.mapped(change))
        case .sequence(let type, let separators):
            content = .sequence(type.mapped(change), hasRecordSeparators: separators)
        case .none, .text, .binary: break
        }
        for place in headers.indices { headers[place].type = headers[place].type.mapped(change) }
    }
}
