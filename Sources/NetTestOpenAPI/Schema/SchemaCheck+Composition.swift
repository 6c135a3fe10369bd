#if Server
internal import NetCore

extension SchemaCheck {
    mutating func checkComposition(_ schema: Schema, _ part: Int) -> Bool {
        var isGood = true
        for rule in (schema.reference.map { [$0] } ?? []) + schema.allOf {
            isGood = run(rule, part) && isGood
            if !isGood, quietness > 0 { return false }
        }
        if let chosen = chosenKind(schema, part) {
            isGood = run(chosen, part) && isGood
        } else {
            isGood = checkUnions(schema, part) && isGood
        }
        if let rule = schema.not, isValid(rule, part) {
            isGood = fail(part, schema, "not", "the value matches the schema of 'not'")
        }
        if let condition = schema.condition,
            let rule = isValid(condition, part) ? schema.consequence : schema.alternative
        {
            isGood = run(rule, part) && isGood
        }
        return isGood
    }

    /// The other schemas that apply to a part: referenced ones, and the matching kinds of unions.
    mutating func applied(_ schema: Schema, _ part: Int) -> [SchemaID] {
        var found = (schema.reference.map { [$0] } ?? []) + schema.allOf
        for rule in schema.oneOf + schema.anyOf where isValid(rule, part) { found.append(rule) }
        for (name, rule) in schema.dependentSchemas where instance.member(name, of: part) != nil { found.append(rule) }
        if let condition = schema.condition {
            let isMet = isValid(condition, part)
            if isMet { found.append(condition) }
            if let rule = isMet ? schema.consequence : schema.alternative { found.append(rule) }
        }
        return found
    }

    /// The kind selected by the discriminator's value; nil if the discriminator selects none. Schemas that extend a
    /// base through `allOf` aren't searched (OpenAPI 3.1.1, 4.8.25).
    private func chosenKind(_ schema: Schema, _ part: Int) -> SchemaID? {
        guard let discriminator = schema.discriminator, !(schema.oneOf.isEmpty && schema.anyOf.isEmpty),
            let member = instance.member(discriminator.property, of: part),
            case .string(let text) = instance.parts[member].value
        else { return nil }
        return discriminator.mapping[text]
    }

    private mutating func checkUnions(_ schema: Schema, _ part: Int) -> Bool {
        var isGood = true
        if !schema.anyOf.isEmpty, !schema.anyOf.contains(where: { isValid($0, part) }) {
            isGood = failUnion(schema.anyOf, "anyOf", schema, part)
        }
        guard !schema.oneOf.isEmpty else { return isGood }
        var fitting = 0
        for rule in schema.oneOf where isValid(rule, part) {
            fitting += 1
            if fitting > 1 { break }
        }
        if fitting == 0 { return failUnion(schema.oneOf, "oneOf", schema, part) }
        if fitting > 1 {
            return fail(
                part, schema, "oneOf", "the value matches more than one of the schemas, and must match exactly one")
        }
        return isGood
    }

    /// Records that no kind of a union matches; if only one kind has a suitable type, records its errors instead.
    private mutating func failUnion(_ kinds: [SchemaID], _ keyword: String, _ schema: Schema, _ part: Int) -> Bool {
        guard quietness == 0 else { return false }
        let types = JSONTypes(of: instance.parts[part].value)
        let fitting = kinds.filter { !set.types(of: $0).isDisjoint(with: types) }
        if fitting.count == 1 { return run(fitting[0], part) && false }
        let shown = instance.parts[part].value.shown
        return fail(part, schema, keyword, "\(shown) matches none of the \(kinds.count) schemas")
    }
}
#endif
