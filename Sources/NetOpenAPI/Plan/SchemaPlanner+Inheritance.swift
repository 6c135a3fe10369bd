extension SchemaPlanner {
    /// A schema with a discriminator that others extend by `allOf`: a value of it is a value of one of those.
    ///
    /// Nil where nothing extends it, or `oneOf` and `anyOf` list its kinds themselves.
    func inheritance(_ node: Node, _ hint: Hint) -> TypeUse? {
        guard let discriminator = node["discriminator"], discriminator.isObject, hint.reserved != nil,
            node["oneOf"] == nil, node["anyOf"] == nil, let key = inProgress.last
        else { return nil }
        let heirs = heirs[key] ?? []
        guard !heirs.isEmpty else { return nil }
        return union(heirs, discriminator: discriminator, node, hint)
    }

    /// Whether a reference leads to a schema whose values are those that extend it.
    func isBase(_ node: Node) -> Bool {
        guard node.reference != nil, let target = try? resolver.target(of: node) else { return false }
        return target.node["discriminator"]?.isObject == true && target.node["oneOf"] == nil
            && target.node["anyOf"] == nil && heirs[Self.key(target)] != nil
    }

    /// The component schemas that extend another one, as references, by the key of the one they extend.
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
