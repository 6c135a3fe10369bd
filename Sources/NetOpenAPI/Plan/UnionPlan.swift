/// The variants of a union as they are collected.
struct UnionPlan {
    var discriminator: String?
    private(set) var variants: [UnionModel.Variant] = []

    init(discriminator: String?) {
        self.discriminator = discriminator
    }

    mutating func add(_ type: TypeReference, name: String, values: [String]) {
        guard !values.isEmpty else {
            guard !variants.contains(where: { $0.type == type }) else { return }
            variants.append(UnionModel.Variant(type: type, rawName: name, discriminatorValue: nil))
            return
        }
        for value in values where !covers(value) {
            // With several values for one type, each is a case of its own, so that the value survives a round trip.
            let name = values.count > 1 ? value : name
            variants.append(UnionModel.Variant(type: type, rawName: name, discriminatorValue: value))
        }
    }

    func covers(_ value: String) -> Bool {
        variants.contains { $0.discriminatorValue == value }
    }

    /// The type of the only variant; nil if there are several, or if it has a discriminator value.
    var onlyType: TypeReference? {
        guard let first = variants.first, variants.count == 1 else { return nil }
        return first.discriminatorValue == nil ? first.type : nil
    }
}

/// An entry of a discriminator's mapping.
struct MappingEntry {
    var value: String
    /// A reference to the schema.
    var reference: Node
}

extension SchemaPlanner {
    /// Returns the mapping of a discriminator; its values may be references or bare component names.
    func mapping(_ discriminator: Node) -> [MappingEntry] {
        read.members(discriminator, "mapping").compactMap { member in
            guard let text = member.value.text else { return nil }
            let isName =
                !text.contains("#") && !text.contains("/") && !text.hasSuffix(".yaml") && !text.hasSuffix(".json")
            let target = isName ? "#/components/schemas/\(JSONPointer.escaped(text))" : text
            let position = member.value.position
            let field = Node.Member(
                key: "$ref", keyPosition: position, value: Node(.scalar(target, isQuoted: true), at: position))
            return MappingEntry(value: member.key, reference: Node(.object([field]), at: position))
        }
    }

    /// Returns the discriminator's values that select a variant.
    func values(of variant: Node, _ property: String, _ mapping: [MappingEntry]) -> [String] {
        let variant = variant["x-variant"] ?? variant
        if variant.reference != nil, let target = try? resolver.target(of: variant) {
            let key = Self.key(target)
            let mapped = mapping.filter { (try? resolver.target(of: $0.reference)).map(Self.key) == key }
            if !mapped.isEmpty { return mapped.map(\.value) }
            let fixed = discriminatorValues(target.node, property)
            return fixed.isEmpty ? [ReferenceName.last(variant)] : fixed
        }
        return discriminatorValues(variant, property)
    }

    private func discriminatorValues(_ node: Node, _ property: String) -> [String] {
        var merged = MergedObject()
        merge(node, into: &merged, path: [])
        guard let schema = merged.properties.first(where: { $0.name == property })?.node else { return [] }
        let values = fixedValues(schema)
        // A property that lists the values of all variants doesn't identify this one.
        return values.count == 1 ? values : []
    }
}
