extension SchemaPlanner {
    /// Returns the type of an `allOf`: one struct with all members, or the type of the only schema that isn't just
    /// annotations.
    func composition(_ node: Node, _ members: [Node], _ hint: Hint) -> TypeUse {
        let own = Node(.object(node.members.filter { $0.key != "allOf" }), at: node.position)
        let addsMembers = !own.members.allSatisfy {
            MergedObject.annotations.contains($0.key) || $0.key.hasPrefix("x-") || $0.key == "type"
                || $0.key == "$ref" || $0.key == "discriminator" || ($0.key == "required" && $0.value.elements.isEmpty)
        }
        let meaningful = members.filter { $0.isObject && !MergedObject.isAnnotation($0) }
        if meaningful.count == 1, let only = meaningful.first, !addsMembers, !isBase(only) {
            var use = use(only, hint)
            if members.contains(where: { $0["nullable"]?.bool == true }) { use.isNullable = true }
            return use
        }
        var merged = MergedObject()
        for member in members { merge(member, into: &merged, path: inProgress) }
        if !members.contains(where: { $0.position == node.position }) { merge(own, into: &merged, path: inProgress) }
        return composed(merged, node, hint)
    }

    private func composed(_ merged: MergedObject, _ node: Node, _ hint: Hint) -> TypeUse {
        if let first = merged.unions.first {
            return distributed(merged, over: first, node, hint)
        }
        if merged.properties.isEmpty, !merged.isObject, let other = merged.others.first {
            if merged.others.count > 1 {
                log.note("'allOf' joins several schemas that aren't objects; the most specific one is used", at: node)
            }
            let best = merged.others.first { $0["enum"] != nil || $0["const"] != nil } ?? other
            return use(best, hint)
        }
        return merged.saysNothing ? TypeUse(type: .json) : object(merged, node, hint)
    }

    /// Returns a union for an object with members of its own that is also a `oneOf` or `anyOf`: each variant gets the
    /// members.
    private func distributed(_ merged: MergedObject, over union: Node, _ node: Node, _ hint: Hint) -> TypeUse {
        var base = merged
        base.unions = Array(merged.unions.dropFirst())
        let parts = baseNodes(base, at: node)
        let key = union["oneOf"] != nil ? "oneOf" : "anyOf"
        let variants = (union[key]?.elements ?? []).filter { !isNull($0) && !MergedObject.isConstraint($0) }
        guard !parts.isEmpty else {
            return self.union(variants, discriminator: union["discriminator"], node, hint)
        }
        let joined = variants.map { variant -> Node in
            if contains(variant, anyOf: inProgress) { return variant }
            return Node(
                .object([
                    Node.Member(
                        key: "allOf", keyPosition: variant.position,
                        value: Node(.array(parts + [variant]), at: variant.position)),
                    Node.Member(key: "x-variant", keyPosition: variant.position, value: variant),
                ]), at: variant.position)
        }
        if joined.count == 1, let only = joined.first { return use(only, hint) }
        return self.union(joined, discriminator: union["discriminator"], node, hint)
    }

    /// Returns the members as schemas that can be combined with a variant.
    private func baseNodes(_ base: MergedObject, at node: Node) -> [Node] {
        var members: [Node.Member] = []
        func add(_ key: String, _ value: Node.Value) {
            members.append(Node.Member(key: key, keyPosition: node.position, value: Node(value, at: node.position)))
        }
        if !base.properties.isEmpty {
            add(
                "properties",
                .object(
                    base.properties.map {
                        Node.Member(key: $0.name, keyPosition: $0.node.position, value: $0.node)
                    }))
        }
        let required = base.properties.map(\.name).filter { base.required.contains($0) }
        if !required.isEmpty {
            add("required", .array(required.map { Node(.scalar($0, isQuoted: true), at: node.position) }))
        }
        if case .schema(let schema) = base.additional { add("additionalProperties", schema.value) }
        var nodes = base.unions
        if !members.isEmpty { nodes.insert(Node(.object(members), at: node.position), at: 0) }
        return nodes
    }

    /// True if a schema is one of the schemas with these keys, or composed of one by `allOf`.
    private func contains(_ node: Node, anyOf keys: [String], hops: Int = 0) -> Bool {
        guard hops < 16 else { return false }
        if node.reference != nil {
            guard let target = try? resolver.target(of: node) else { return false }
            if keys.contains(Self.key(target)) { return true }
            return contains(target.node, anyOf: keys, hops: hops + 1)
        }
        return (node["allOf"]?.elements ?? []).contains { contains($0, anyOf: keys, hops: hops + 1) }
    }
}
