extension SchemaPlanner {
    /// Returns the type of an object schema without composition.
    func object(_ node: Node, _ hint: Hint) -> TypeUse {
        var merged = MergedObject()
        merge(node, into: &merged, path: inProgress)
        return object(merged, node, hint)
    }

    /// Returns a struct for named members, or a dictionary if there are none and others are allowed.
    func object(_ merged: MergedObject, _ node: Node, _ hint: Hint) -> TypeUse {
        if merged.properties.isEmpty {
            switch merged.additional {
            case .schema(let schema):
                return TypeUse(type: .dictionary(use(schema, hint.suffixed("Value")).element))
            case .forbidden: break
            case .open, .unsaid: return TypeUse(type: .dictionary(.json))
            }
        }
        let id = declaration(node, hint)
        var model = ObjectModel(properties: [], additional: nil)
        for property in merged.properties {
            model.properties.append(self.property(property, merged.required.contains(property.name), id))
        }
        switch merged.additional {
        case .schema(let schema):
            model.additional = use(schema, Hint(owner: .type(id), name: "AdditionalProperty")).element
        case .open: model.additional = .json
        case .unsaid, .forbidden: break
        }
        types[id.index].kind = .object(model)
        return TypeUse(type: .named(id))
    }

    private func property(_ property: MergedObject.Property, _ isRequired: Bool, _ owner: TypeID) -> PropertyModel {
        let node = property.node
        // The types of inherited properties belong to the schema that declares them.
        let home = property.origin.flatMap { placed[$0] } ?? owner
        let use = use(node, Hint(owner: .type(home), name: property.name))
        var type = use.type
        var isNullable = use.isNullable
        if case .optional(let inner) = type {
            type = inner
            isNullable = true
        }
        return PropertyModel(
            name: property.name, type: type, isRequired: isRequired, isNullable: isNullable,
            isReadOnly: annotation(node, "readOnly"), isWriteOnly: annotation(node, "writeOnly"),
            defaultValue: node["default"], fixedValues: fixedValues(node),
            documentation: read.documentation(node))
    }

    /// Returns the Boolean beside a reference, or the one in the schema the reference leads to.
    private func annotation(_ node: Node, _ key: String) -> Bool {
        if node[key] != nil { return read.flag(node, key) ?? false }
        guard node.reference != nil, let target = try? resolver.resolve(node) else { return false }
        return target[key]?.bool ?? false
    }

    /// Returns the only texts a schema allows (`const`, `enum`); empty if it isn't restricted to some.
    func fixedValues(_ node: Node) -> [String] {
        guard let node = node.reference == nil ? node : try? resolver.resolve(node) else { return [] }
        if let value = node["const"]?.text { return [value] }
        return (node["enum"]?.elements ?? []).filter { !$0.isNull }.compactMap(\.text)
    }

    /// Returns the type of an array schema.
    func array(_ node: Node, _ hint: Hint) -> TypeUse {
        if let first = read.list(node, "prefixItems"), !first.isEmpty { return tuple(first, node, hint) }
        guard let items = node["items"], items.isObject || items.isArray else { return TypeUse(type: .array(.json)) }
        if items.isArray {
            log.warn("'items' should be one schema; the list is read as free-form JSON", at: items)
            return TypeUse(type: .array(.json))
        }
        return TypeUse(type: .array(use(items, hint.suffixed("Item")).element))
    }

    /// Returns the type of a list whose first elements have their own schemas: a list of anything an element can be.
    private func tuple(_ first: [Node], _ node: Node, _ hint: Hint) -> TypeUse {
        log.note("each element of this list can be what any place of 'prefixItems' allows", at: node["prefixItems"])
        let rest = node["items"].flatMap { $0.isObject ? $0 : nil }
        let nodes = first + [rest].compactMap { $0 }
        let hint = hint.suffixed("Item")
        if nodes.count == 1 { return TypeUse(type: .array(use(nodes[0], hint).element)) }
        return TypeUse(type: .array(union(nodes, discriminator: nil, node, hint).element))
    }
}
