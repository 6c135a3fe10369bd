extension SchemaPlanner {
    /// Returns the type of `enum` or `const`; nil if the schema has neither, or its values can't form an enumeration.
    func enumeration(_ node: Node, _ kinds: [String], _ hint: Hint) -> TypeUse? {
        let listed: [Node]
        if node["enum"]?.isArray == true, let values = read.list(node, "enum") {
            listed = values
        } else if let value = node["const"] {
            listed = [value]
        } else {
            return nil
        }
        let values = listed.filter { !$0.isNull }
        let holdsNull = values.count < listed.count && kinds.isEmpty
        guard !values.isEmpty else { return nil }
        guard values.allSatisfy({ $0.text != nil }) else {
            log.warn("an enumeration of objects or lists is read as what its type says", at: node)
            return nil
        }
        let isText =
            kinds == ["string"] || (kinds.isEmpty && values.allSatisfy { isQuoted($0) || !isNumberOrFlag($0) })
            || (kinds.contains("string") && values.allSatisfy { isQuoted($0) || $0.bool == nil })
        if isText { return declareEnum(node, values, isInteger: false, holdsNull, hint) }
        if values.allSatisfy({ Int64($0.text ?? "") != nil }), kinds != ["number"], kinds != ["boolean"] {
            return declareEnum(node, values, isInteger: true, holdsNull, hint)
        }
        if values.allSatisfy({ $0.bool != nil }) { return TypeUse(type: .scalar(.bool), isNullable: holdsNull) }
        if values.allSatisfy({ $0.double != nil }) { return TypeUse(type: .scalar(.double), isNullable: holdsNull) }
        var mixed = choice(of: self.kinds(of: values), node, hint)
        if holdsNull { mixed.isNullable = true }
        return mixed
    }

    /// Returns the distinct kinds of an enumeration's values.
    private func kinds(of values: [Node]) -> [String] {
        var kinds: [String] = []
        for value in values {
            let isText = isQuoted(value) || !isNumberOrFlag(value)
            let kind = isText ? "string" : value.bool != nil ? "boolean" : "number"
            if !kinds.contains(kind) { kinds.append(kind) }
        }
        return kinds
    }

    private func isQuoted(_ node: Node) -> Bool {
        if case .scalar(_, isQuoted: true) = node.value { true } else { false }
    }

    private func isNumberOrFlag(_ node: Node) -> Bool { node.bool != nil || node.double != nil }

    private func declareEnum(
        _ node: Node, _ values: [Node], isInteger: Bool, _ holdsNull: Bool, _ hint: Hint
    ) -> TypeUse {
        let names = (node["x-enum-varnames"] ?? node["x-enumNames"] ?? node["x-enum-names"])?.elements ?? []
        var model = EnumModel(isInteger: isInteger, values: [])
        for (place, value) in values.enumerated() {
            guard let text = value.text else { continue }
            let normal = isInteger ? Int64(text).map(String.init) ?? text : text
            guard !model.values.contains(where: { $0.text == normal }) else { continue }
            model.values.append(
                EnumModel.Value(text: normal, name: names.indices.contains(place) ? names[place].text : nil))
        }
        let id = declaration(node, hint)
        types[id.index].kind = .enumeration(model)
        return TypeUse(type: .named(id), isNullable: holdsNull)
    }
}
