extension SchemaPlanner {
    /// Returns a union for a schema with a discriminator that others extend by `allOf`: its values are those of the
    /// others.
    ///
    /// Nil if no schema extends it, or if its variants are listed in `oneOf` or `anyOf`.
    func inheritance(_ node: Node, _ hint: Hint) -> TypeUse? {
        guard let discriminator = node["discriminator"], discriminator.isObject, hint.reserved != nil,
            node["oneOf"] == nil, node["anyOf"] == nil, let key = inProgress.last
        else { return nil }
        let heirs = heirs[key] ?? []
        guard !heirs.isEmpty else { return nil }
        return union(heirs, discriminator: discriminator, node, hint)
    }

    /// True if a reference leads to a schema whose values are those of the schemas that extend it.
    func isBase(_ node: Node) -> Bool {
        guard node.reference != nil, let target = try? resolver.target(of: node) else { return false }
        return target.node["discriminator"]?.isObject == true && target.node["oneOf"] == nil
            && target.node["anyOf"] == nil && heirs[Self.key(target)] != nil
    }

    /// Returns the component schemas that extend a schema with a discriminator, as references, by the key of that
    /// schema.
    static func heirs(in root: Node, _ resolver: ReferenceResolver) -> [String: [Node]] {
        var heirs: [String: [Node]] = [:]
        for member in root["components"]?["schemas"]?.members ?? [] {
            for part in member.value["allOf"]?.elements ?? [] where part.reference != nil {
                guard let target = try? resolver.target(of: part), target.node["discriminator"] != nil else { continue }
                let text = "#" + JSONPointer(["components", "schemas", member.key]).text
                let field = Node.Member(
                    key: "$ref", keyPosition: member.keyPosition,
                    value: Node(.scalar(text, isQuoted: true), at: member.keyPosition))
                heirs[key(target), default: []].append(Node(.object([field]), at: member.keyPosition))
            }
        }
        return heirs
    }
}
