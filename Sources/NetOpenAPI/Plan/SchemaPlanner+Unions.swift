extension SchemaPlanner {
    /// Returns the type of `oneOf` or `anyOf`; nil if the schema has neither, or if they only restrict it.
    func union(_ node: Node, _ hint: Hint) -> TypeUse? {
        for key in ["oneOf", "anyOf"] {
            guard let listed = read.list(node, key) else { continue }
            let variants = listed.filter {
                !isNull($0) && !MergedObject.isConstraint($0) && !MergedObject.isEmptyObject($0)
            }
            guard !variants.isEmpty else { continue }
            let isNullable = listed.contains { isNull($0) }
            let ownMembers = node["properties"]?.members.isEmpty == false || node["allOf"]?.elements.isEmpty == false
            var use: TypeUse
            if ownMembers {
                use = composition(node, [node], hint)
            } else if variants.count == 1, let only = variants.first {
                use = self.use(only, hint)
            } else if let values = openValues(variants, node) {
                use = self.use(values, hint)
            } else {
                use = union(variants, discriminator: node["discriminator"], node, hint)
            }
            if isNullable { use.isNullable = true }
            return use
        }
        return nil
    }

    /// Returns one open enumeration for variants that are strings and enumerations of strings; nil for other variants.
    private func openValues(_ variants: [Node], _ node: Node) -> Node? {
        var values: [Node] = []
        for variant in variants {
            guard variant.reference == nil,
                SchemaKind.list(of: variant, log: log) == ["string"] || variant["const"] != nil
            else { return nil }
            if let constant = variant["const"] {
                guard case .scalar(_, isQuoted: true) = constant.value else { return nil }
                values.append(constant)
            } else if let listed = variant["enum"]?.elements {
                values += listed
            } else if variant["format"] != nil {
                return nil
            }
        }
        guard !values.isEmpty else { return nil }
        var members = node.members.filter {
            !["oneOf", "anyOf", "discriminator", "const", "enum", "type"].contains($0.key)
        }
        members.append(
            Node.Member(
                key: "type", keyPosition: node.position,
                value: Node(.scalar("string", isQuoted: true), at: node.position)))
        members.append(
            Node.Member(key: "enum", keyPosition: node.position, value: Node(.array(values), at: node.position)))
        return Node(.object(members), at: node.position)
    }

    /// Returns a union with a case for each kind, for a schema of several kinds.
    func choice(of kinds: [String], _ node: Node, _ hint: Hint) -> TypeUse {
        let variants = kinds.map { kind in
            var members = node.members.filter {
                !["type", "title", "description", "enum", "nullable"].contains($0.key)
            }
            members.append(
                Node.Member(
                    key: "type", keyPosition: node.position,
                    value: Node(.scalar(kind, isQuoted: true), at: node.position)))
            return Node(.object(members), at: node.position)
        }
        return union(variants, discriminator: nil, node, hint)
    }

    /// Declares a union; returns the type of the variants if there is only one.
    func union(_ nodes: [Node], discriminator: Node?, _ node: Node, _ hint: Hint) -> TypeUse {
        let id = declaration(node, hint)
        var plan = UnionPlan(discriminator: discriminator.flatMap { read.text($0, "propertyName") })
        var isNullable = false
        let mapping = discriminator.map { self.mapping($0) } ?? []
        for (place, variant) in nodes.enumerated() {
            let name = variantName(variant, place, nodes, plan.discriminator)
            var use = use(variant, Hint(owner: .type(id), name: name))
            if use.isNullable { isNullable = true }
            if case .optional(let inner) = use.type { use.type = inner }
            let values = plan.discriminator.map { self.values(of: variant, $0, mapping) } ?? []
            plan.add(use.type, name: name, values: values)
        }
        for entry in mapping where !plan.covers(entry.value) {
            guard let target = target(entry.reference) else { continue }
            plan.add(.named(target), name: ReferenceName.last(entry.reference), values: [entry.value])
        }
        if let only = plan.onlyType, only != .named(id) {
            adopt(childrenOf: id, hint)
            if hint.reserved == nil { types[id.index].kind = .removed }
            return TypeUse(type: only, isNullable: isNullable)
        }
        types[id.index].kind = .union(
            UnionModel(variants: plan.variants, discriminator: plan.discriminator))
        return TypeUse(type: .named(id), isNullable: isNullable)
    }

    /// Moves types out of a union that turned out not to be needed.
    private func adopt(childrenOf id: TypeID, _ hint: Hint) {
        for index in types.indices where types[index].owner == .type(id) {
            types[index].owner = types[id.index].owner
            types[index].rawName = "\(hint.name) \(types[index].rawName)"
        }
    }

    private func variantName(_ node: Node, _ place: Int, _ all: [Node], _ discriminator: String?) -> String {
        if node.reference != nil { return ReferenceName.last(node) }
        if let inner = node["x-variant"] { return variantName(inner, place, [], discriminator) }
        if let title = node["title"]?.text, !title.isEmpty, title.utf8.count <= 60 { return title }
        if let members = node["allOf"]?.elements, let reference = members.first(where: { $0.reference != nil }),
            members.count == 1
        {
            return ReferenceName.last(reference)
        }
        let properties = node["properties"]?.members ?? []
        if let discriminator, let value = node["properties"]?[discriminator].flatMap({ fixedValues($0).first }) {
            return value
        }
        for property in properties where fixedValues(property.value).count == 1 {
            return fixedValues(property.value)[0]
        }
        let kind = SchemaKind.list(of: node, log: log).first
        if kind == "array", let items = node["items"] { return variantName(items, place, [], nil) + " list" }
        if kind == "object" || !properties.isEmpty {
            let others = all.enumerated().filter { $0.offset != place }.flatMap {
                $0.element["properties"]?.members ?? []
            }
            let own = properties.first { property in !others.contains { $0.key == property.key } }
            return own.map { "with \($0.key)" } ?? "object"
        }
        if let format = node["format"]?.text, kind == "string",
            SchemaKind.scalar("string", format: format, node) != .string
        {
            return format
        }
        return kind ?? "value"
    }
}

extension MergedObject {
    /// True if a schema has only a title, a description or `deprecated`; false for `{}`.
    static func isEmptyObject(_ node: Node) -> Bool {
        node.isObject && node.members.allSatisfy { ["title", "description", "deprecated"].contains($0.key) }
            && !node.members.isEmpty
    }
}

extension ReferenceName {
    /// Returns the last segment of a reference's text, without a file extension.
    static func last(_ node: Node) -> String {
        let text = node.reference ?? ""
        let segment = text.split(whereSeparator: { $0 == "/" || $0 == "#" }).last.map(String.init) ?? text
        let name = PercentDecoding.decoded(segment)
        for ending in [".yaml", ".yml", ".json"] where name.hasSuffix(ending) {
            return String(name.dropLast(ending.count))
        }
        return name
    }
}
