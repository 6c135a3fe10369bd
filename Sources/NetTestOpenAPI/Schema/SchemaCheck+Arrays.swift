#if Server
internal import NetCore

extension SchemaCheck {
    mutating func checkArray(_ schema: Schema, _ part: Int) -> Bool {
        let elements = instance.parts[part].children
        var isGood = true
        if let least = schema.minItems, elements.count < least {
            isGood = fail(part, schema, "minItems", "the array has \(elements.count) elements, fewer than \(least)")
        }
        if let most = schema.maxItems, elements.count > most {
            isGood = fail(part, schema, "maxItems", "the array has \(elements.count) elements, more than \(most)")
        }
        if schema.hasUniqueItems, !areUnique(elements) {
            isGood = fail(part, schema, "uniqueItems", "the array holds a value twice")
        }
        guard isGood || quietness == 0 else { return false }
        for (place, element) in elements.enumerated() {
            let rule = schema.prefixItems.indices.contains(place) ? schema.prefixItems[place] : schema.items
            guard let rule else { break }
            isGood = run(rule, element) && isGood
            if !isGood, quietness > 0 { return false }
        }
        if let rule = schema.contains { isGood = checkContains(rule, schema, elements, part) && isGood }
        if let rule = schema.unevaluatedItems {
            let known = evaluatedElements(of: schema, part)
            for element in elements.dropFirst(known) where !isContained(element, schema) {
                isGood = run(rule, element) && isGood
            }
        }
        return isGood
    }

    private func areUnique(_ elements: [Int]) -> Bool {
        var seen: Set<JSONValue> = []
        return elements.allSatisfy { seen.insert(instance.parts[$0].value.canonical).inserted }
    }

    private mutating func checkContains(
        _ rule: SchemaID, _ schema: Schema, _ elements: [Int], _ part: Int
    ) -> Bool {
        var count = 0
        for element in elements where isValid(rule, element) { count += 1 }
        if count < schema.minContains ?? 1 {
            return fail(
                part, schema, "contains",
                "\(count) elements match 'contains', fewer than \(schema.minContains ?? 1)")
        }
        if let most = schema.maxContains, count > most {
            return fail(part, schema, "maxContains", "\(count) elements match 'contains', more than \(most)")
        }
        return true
    }

    private mutating func isContained(_ element: Int, _ schema: Schema) -> Bool {
        schema.contains.map { isValid($0, element) } ?? false
    }

    /// The number of leading elements that a schema, or another one that applies to the array, evaluates.
    private mutating func evaluatedElements(of schema: Schema, _ part: Int, depth: Int = 0) -> Int {
        guard depth < 32 else { return .max }
        if schema.items != nil { return .max }
        var known = schema.prefixItems.count
        for other in applied(schema, part) {
            let inner = set[other]
            known = max(
                known, inner.unevaluatedItems == nil ? evaluatedElements(of: inner, part, depth: depth + 1) : .max)
        }
        return known
    }
}
#endif
