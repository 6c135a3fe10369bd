#if Server
internal import NetCore
internal import NetTesting

extension SchemaCheck {
    mutating func checkObject(_ schema: Schema, _ part: Int) -> Bool {
        var isGood = checkPresence(schema, part)
        guard isGood || quietness == 0 else { return false }
        for (name, rule) in schema.properties {
            guard let member = instance.member(name, of: part) else { continue }
            isGood = run(rule, member) && isGood
            if !isGood, quietness > 0 { return false }
        }
        if !schema.patternProperties.isEmpty || schema.additionalProperties != nil || schema.propertyNames != nil {
            isGood = checkOthers(schema, part) && isGood
        }
        for (name, rule) in schema.dependentSchemas where instance.member(name, of: part) != nil {
            isGood = run(rule, part) && isGood
        }
        if let rule = schema.unevaluatedProperties {
            let known = evaluatedMembers(of: schema, part)
            for member in instance.parts[part].children where !known.contains(instance.parts[member].key) {
                isGood = check(rule, other: member, schema, "unevaluatedProperties") && isGood
            }
        }
        return isGood
    }

    private mutating func checkPresence(_ schema: Schema, _ part: Int) -> Bool {
        var isGood = true
        for name in schema.required where instance.member(name, of: part) == nil && !isSpared(name, schema) {
            isGood = fail(part, schema, "required", "'\(name)' is missing")
            if quietness > 0 { return false }
        }
        let count = instance.parts[part].children.count
        if let least = schema.minProperties, count < least {
            isGood = fail(part, schema, "minProperties", "the object has \(count) members, fewer than \(least)")
        }
        if let most = schema.maxProperties, count > most {
            isGood = fail(part, schema, "maxProperties", "the object has \(count) members, more than \(most)")
        }
        for (name, needs) in schema.dependentRequired where instance.member(name, of: part) != nil {
            for need in needs where instance.member(need, of: part) == nil {
                isGood = fail(part, schema, "dependentRequired", "'\(name)' is present, but '\(need)' is missing")
            }
        }
        return isGood
    }

    /// Indicates whether a required member may be absent in this direction (OpenAPI, `readOnly` and `writeOnly`).
    private func isSpared(_ name: String, _ schema: Schema) -> Bool {
        guard let rule = schema.properties.first(where: { $0.name == name })?.schema else { return false }
        return set.isMarked(rule, direction == .request ? \.isReadOnly : \.isWriteOnly)
    }

    /// Checks the members that `properties` doesn't name, and the names of all members.
    private mutating func checkOthers(_ schema: Schema, _ part: Int) -> Bool {
        var isGood = true
        let named = Set(schema.properties.map(\.name))
        for member in instance.parts[part].children {
            let name = instance.parts[member].key
            if let rule = schema.propertyNames,
                !SchemaCheck.accepts(.string(name), rule, in: set, direction)
            {
                isGood = fail(member, schema, "propertyNames", "the name '\(name)' is not allowed")
            }
            var isKnown = named.contains(name)
            for pattern in schema.patternProperties where pattern.pattern?.matches(name) ?? false {
                isKnown = true
                isGood = run(pattern.schema, member) && isGood
            }
            if !isKnown, let rule = schema.additionalProperties {
                isGood = check(rule, other: member, schema, "additionalProperties") && isGood
            }
            if !isGood, quietness > 0 { return false }
        }
        return isGood
    }

    private mutating func check(_ rule: SchemaID, other member: Int, _ schema: Schema, _ keyword: String) -> Bool {
        guard set[rule].isNever else { return run(rule, member) }
        let name = instance.parts[member].key
        return fail(member, schema, keyword, "'\(name)' isn't defined in the schema")
    }

    /// The names of the members that a schema, or another one that applies to the object, evaluates (JSON Schema
    /// 2020-12, 11.3).
    private mutating func evaluatedMembers(of schema: Schema, _ part: Int, depth: Int = 0) -> Set<String> {
        let all = instance.parts[part].children.map { instance.parts[$0].key }
        guard depth < 32, schema.additionalProperties == nil else { return Set(all) }
        if depth > 0, schema.unevaluatedProperties != nil { return Set(all) }
        var known = Set(schema.properties.map(\.name))
        for pattern in schema.patternProperties { known.formUnion(all.filter { pattern.pattern?.matches($0) ?? true }) }
        for other in applied(schema, part) {
            known.formUnion(evaluatedMembers(of: set[other], part, depth: depth + 1))
        }
        return known
    }
}
#endif
