#if Server
internal import NetCore
internal import NetTesting

/// Generates values that a schema accepts: the document's examples, or else generated ones.
///
/// A schema may be impossible or hard to satisfy. In that case the last attempt is returned, and the caller, which
/// checks the value, reports the problem.
struct ValueSampler {
    let set: SchemaSet
    let random: SampleRandom
    let direction: BodyDirection
    /// The depth to which optional members and elements are generated.
    private static let depth = 4
    private static let hardDepth = 24
    private let budget = Budget()

    /// The remaining parts that one attempt may generate before it limits itself to required members: nested objects
    /// grow fast.
    private final class Budget {
        var left = 0
    }

    init(set: SchemaSet, random: SampleRandom, direction: BodyDirection) {
        (self.set, self.random, self.direction) = (set, random, direction)
    }

    /// A value; nil only if no attempt produced one.
    func value(_ schema: SchemaID) -> JSONValue? {
        for candidate in set.resolved(schema).samples
        where SchemaCheck.accepts(candidate, schema, in: set, direction) {
            return candidate
        }
        var last: JSONValue?
        for attempt in 0..<24 {
            budget.left = 2000
            guard let made = make(schema, depth: attempt % 6) else { continue }
            last = made
            if SchemaCheck.accepts(made, schema, in: set, direction) { return made }
        }
        return last
    }

    /// One attempt. The deeper it starts, the fewer optional parts it generates. A part of a `whole` may require
    /// members that another part defines.
    private func make(_ id: SchemaID, depth: Int, within whole: SchemaID? = nil) -> JSONValue? {
        budget.left -= 1
        guard depth < Self.hardDepth, budget.left > -20_000 else { return nil }
        let depth = budget.left < 0 ? max(depth, Self.depth + 1) : depth
        let schema = set[id]
        if schema.isNever { return nil }
        if let constant = schema.constant { return constant }
        if let enumeration = schema.enumeration, let value = random.element(of: enumeration) { return value }
        if depth <= Self.depth,
            let offered = schema.samples.first(where: {
                SchemaCheck.accepts($0, id, in: set, direction)
            })
        {
            return offered
        }
        if whole == nil, let value = heir(of: set.resolved(id), depth: depth) { return value }
        if schema.reference != nil || schema.condition != nil
            || !(schema.allOf + schema.oneOf + schema.anyOf).isEmpty
        {
            return composed(schema, id, depth: depth, within: whole ?? id)
        }
        return plain(schema, id, depth: depth, within: whole ?? id)
    }

    /// A value composed of parts: the members of all parts, or the value of one part if none of them is an object.
    private func composed(_ schema: Schema, _ id: SchemaID, depth: Int, within whole: SchemaID) -> JSONValue? {
        var parts = (schema.reference.map { [$0] } ?? []) + schema.allOf
        var members: [String: JSONValue] = [:]
        var others: [JSONValue] = []
        for union in [schema.oneOf, schema.anyOf] where !union.isEmpty {
            // Kinds that recurse deeper come last.
            let kinds = random.shuffled(union.filter { !set[$0].isNever })
            let shallow = depth > Self.depth ? kinds.sorted { weight($0) < weight($1) } : kinds
            if let kind = shallow.first { parts.append(kind) }
        }
        if let condition = schema.condition {
            let isMet = random.below(2) == 0
            parts += (isMet ? [condition, schema.consequence] : [schema.alternative]).compactMap { $0 }
        }
        for part in parts {
            // A plain reference doesn't add a level.
            guard let value = make(part, depth: depth + (schema.reference == part ? 0 : 1), within: whole) else {
                if schema.isNullable { return .null }
                continue
            }
            if case .object(let more) = value {
                members.merge(more) { $1 }
            } else {
                others.append(value)
            }
        }
        if schema.types == .object || !schema.properties.isEmpty || !schema.required.isEmpty,
            case .object(let own)? = plain(schema, id, depth: depth, within: whole)
        {
            members.merge(own) { own, _ in own }
        }
        choose(schema, parts, &members)
        if !members.isEmpty { return .object(members) }
        let isObject = schema.types == .object || parts.contains { set.types(of: $0) == .object }
        if isObject { return .object([:]) }
        // One part may constrain a text or number more than the others.
        return others.first { SchemaCheck.accepts($0, id, in: set, direction) } ?? others.last
    }

    /// Sets the discriminator's member to the value of the kind that was generated.
    private func choose(_ schema: Schema, _ parts: [SchemaID], _ members: inout [String: JSONValue]) {
        guard let discriminator = schema.discriminator else { return }
        for part in parts {
            let target = set[part].reference ?? part
            let names = discriminator.mapping.filter { $0.value == target || $0.value == part }.keys.sorted()
            if let name = names.first(where: { members[discriminator.property] == .string($0) }) ?? names.first {
                members[discriminator.property] = .string(name)
            }
        }
    }

    /// A value of one of the schemas that extend this one, if its discriminator names them.
    private func heir(of schema: Schema, depth: Int) -> JSONValue? {
        guard let discriminator = schema.discriminator, schema.oneOf.isEmpty, schema.anyOf.isEmpty,
            let name = random.element(of: discriminator.mapping.keys.sorted()),
            let heir = discriminator.mapping[name], case .object(var members)? = make(heir, depth: depth + 1)
        else { return nil }
        members[discriminator.property] = .string(name)
        return .object(members)
    }

    /// The minimum size of a kind.
    private func weight(_ id: SchemaID) -> Int {
        let types = set.types(of: id)
        if !types.isDisjoint(with: [.null, .boolean, .string, .number]) { return 0 }
        return 1 + set.resolved(id).required.count
    }

    private func plain(_ schema: Schema, _ id: SchemaID, depth: Int, within whole: SchemaID) -> JSONValue? {
        let types = set.types(of: id)
        if schema.types == nil, types == JSONTypes(rawValue: 127) {
            return untyped(schema, id, depth: depth, within: whole)
        }
        if types.contains(.object) { return object(schema, depth: depth, within: whole) }
        if types.contains(.array) { return array(schema, id, depth: depth) }
        if types.contains(.string) { return .string(TextSampler(random: random).text(schema)) }
        if types.contains(.integer) || types.contains(.number) {
            return NumberSampler(random: random).number(schema, types)
        }
        if types.contains(.boolean) { return .bool(random.below(2) == 0) }
        return .null
    }

    /// A value for a schema without a type, of the kind that its other keywords suggest.
    private func untyped(_ schema: Schema, _ id: SchemaID, depth: Int, within whole: SchemaID) -> JSONValue? {
        if !schema.required.isEmpty || schema.minProperties != nil {
            return object(schema, depth: depth, within: whole)
        }
        if schema.minimum != nil || schema.maximum != nil {
            return NumberSampler(random: random).number(schema, .number)
        }
        return .string(TextSampler(random: random).text(schema))
    }

    private func object(_ schema: Schema, depth: Int, within whole: SchemaID) -> JSONValue? {
        var members: [String: JSONValue] = [:]
        for (name, rule) in schema.properties {
            let isRequired = schema.required.contains(name)
            let isHidden = set.isMarked(rule, direction == .response ? \.isWriteOnly : \.isReadOnly)
            guard isRequired || (depth < Self.depth && !isHidden) else { continue }
            guard !isHidden || isRequired else { continue }
            if let value = make(rule, depth: depth + 1) {
                // Omits an optional member for which no valid value was found.
                if isRequired || SchemaCheck.accepts(value, rule, in: set, direction) { members[name] = value }
            } else if isRequired {
                return nil
            }
        }
        for name in schema.required where members[name] == nil {
            if schema.properties.contains(where: { $0.name == name }) { continue }
            let rule = schema.additionalProperties ?? set.property(name, of: whole)
            members[name] = rule.flatMap { make($0, depth: depth + 1) } ?? .string("sample")
        }
        fill(&members, schema, depth)
        if let most = schema.maxProperties, members.count > most {
            for name in members.keys.sorted() where members.count > most && !schema.required.contains(name) {
                members[name] = nil
            }
        }
        return .object(members)
    }

    /// Adds members that the schema doesn't name: as many as it requires, and one if it has a schema for them.
    private func fill(_ members: inout [String: JSONValue], _ schema: Schema, _ depth: Int) {
        let names =
            (schema.patternProperties.first?.pattern).map { pattern in
                var named = Schema(place: schema.place)
                (named.pattern, named.patternText) = (pattern, "")
                return (0..<8).map { _ in TextSampler(random: random).text(named) }
            } ?? (1...8).map { "key\($0)" }
        let rule = schema.patternProperties.first?.schema ?? schema.additionalProperties
        let isOptional = depth < Self.depth && schema.properties.isEmpty && rule != nil
        let wanted = max(schema.minProperties ?? 0, isOptional ? 1 : 0)
        for name in names where members.count < wanted && members[name] == nil {
            if let rule {
                guard !set[rule].isNever, let value = make(rule, depth: depth + 1) else { return }
                members[name] = value
            } else {
                members[name] = .string("sample")
            }
        }
    }

    private func array(_ schema: Schema, _ id: SchemaID, depth: Int) -> JSONValue? {
        let most = min(schema.maxItems ?? .max, max(schema.minItems ?? 0, schema.prefixItems.count, 2))
        let least = max(schema.minItems ?? 0, depth < Self.depth ? min(1, most) : 0)
        let count = random.number(min(least, 10_000)...max(min(least, 10_000), min(most, 10_000)))
        var elements: [JSONValue] = []
        var tries = 0
        while elements.count < count, tries < count * 8 {
            tries += 1
            let place = elements.count
            let rule = schema.prefixItems.indices.contains(place) ? schema.prefixItems[place] : schema.items
            guard let value = rule.map({ make($0, depth: depth + 1) }) ?? .string("sample") else {
                return least > schema.minItems ?? 0 ? .array(elements) : nil
            }
            if schema.hasUniqueItems, elements.contains(where: { $0.canonical == value.canonical }) { continue }
            elements.append(value)
        }
        return .array(elements)
    }
}
#endif
