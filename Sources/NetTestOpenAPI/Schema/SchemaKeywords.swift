#if Server
internal import NetCore
internal import NetOpenAPI
internal import NetTesting

/// Reads the keywords of one schema. A keyword whose value has the wrong type is ignored.
struct SchemaKeywords {
    let compiler: SchemaCompiler
    let node: Node
    let place: SchemaPlace

    func read(into schema: inout Schema) {
        readGeneral(&schema)
        readScalars(&schema)
        readArrays(&schema)
        readObjects(&schema)
        readComposition(&schema)
    }

    private func readGeneral(_ schema: inout Schema) {
        if let names = texts("type") ?? node["type"]?.text.map({ [$0] }) {
            let types = names.compactMap { JSONTypes(name: $0) }
            if !types.isEmpty { schema.types = types.reduce(into: []) { $0.formUnion($1) } }
        }
        schema.isNullable = schema.isNullable || node["nullable"]?.bool == true
        schema.isReadOnly = schema.isReadOnly || node["readOnly"]?.bool == true
        schema.isWriteOnly = schema.isWriteOnly || node["writeOnly"]?.bool == true
        schema.constant = node["const"].map { JSONValue($0).canonical }
        if let values = node["enum"], values.isArray {
            schema.enumeration = values.elements.map { enumerated($0, schema.types) }
        }
        let samples = (node["example"].map { [$0] } ?? []) + (node["examples"]?.elements ?? [])
        schema.samples = (samples + (node["default"].map { [$0] } ?? [])).map { JSONValue($0) }
        schema.contentEncoding = node["contentEncoding"]?.text?.lowercased()
        schema.contentMediaType = node["contentMediaType"]?.text?.lowercased()
        schema.contentSchema = subschema("contentSchema")
    }

    /// An enumerated value. In YAML, `1.0` and `on` are often meant as text; they are read as text if only text is
    /// allowed.
    private func enumerated(_ node: Node, _ types: JSONTypes?) -> JSONValue {
        if types == .string, let text = node.text, !node.isNull { return .string(text) }
        return JSONValue(node).canonical
    }

    private func readScalars(_ schema: inout Schema) {
        schema.minimum = node["minimum"]?.double
        schema.maximum = node["maximum"]?.double
        // OpenAPI 3.0 uses booleans here, later versions use numbers; both are accepted in any version.
        schema.excludesMinimum = node["exclusiveMinimum"]?.bool ?? false
        schema.excludesMaximum = node["exclusiveMaximum"]?.bool ?? false
        if let bound = node["exclusiveMinimum"]?.double, bound >= schema.minimum ?? -.infinity {
            (schema.minimum, schema.excludesMinimum) = (bound, true)
        }
        if let bound = node["exclusiveMaximum"]?.double, bound <= schema.maximum ?? .infinity {
            (schema.maximum, schema.excludesMaximum) = (bound, true)
        }
        schema.multipleOf = node["multipleOf"]?.double.flatMap { $0 > 0 ? $0 : nil }
        schema.minLength = count("minLength")
        schema.maxLength = count("maxLength")
        schema.patternText = node["pattern"]?.text
        schema.pattern = schema.patternText.flatMap { Pattern($0) }
        schema.format = node["format"]?.text?.lowercased()
    }

    private func readArrays(_ schema: inout Schema) {
        schema.items = subschema("items")
        schema.prefixItems = subschemas("prefixItems")
        schema.contains = subschema("contains")
        schema.minContains = count("minContains")
        schema.maxContains = count("maxContains")
        schema.minItems = count("minItems")
        schema.maxItems = count("maxItems")
        schema.hasUniqueItems = node["uniqueItems"]?.bool ?? false
        schema.unevaluatedItems = subschema("unevaluatedItems")
    }

    private func readObjects(_ schema: inout Schema) {
        schema.properties = named("properties")
        schema.required = texts("required") ?? []
        schema.patternProperties = named("patternProperties").map {
            .init(pattern: Pattern($0.name), text: $0.name, schema: $0.schema)
        }
        schema.additionalProperties = subschema("additionalProperties")
        schema.propertyNames = subschema("propertyNames")
        schema.minProperties = count("minProperties")
        schema.maxProperties = count("maxProperties")
        schema.dependentRequired = (node["dependentRequired"]?.members ?? []).map {
            ($0.key, $0.value.elements.compactMap(\.text))
        }
        schema.dependentSchemas = named("dependentSchemas")
        schema.unevaluatedProperties = subschema("unevaluatedProperties")
    }

    private func readComposition(_ schema: inout Schema) {
        schema.allOf = subschemas("allOf")
        schema.oneOf = subschemas("oneOf")
        schema.anyOf = subschemas("anyOf")
        schema.not = subschema("not")
        schema.condition = subschema("if")
        schema.consequence = subschema("then")
        schema.alternative = subschema("else")
        schema.discriminator = discriminator()
    }

    /// The kinds of a union, or the schemas that extend this one, keyed by the value that selects them: the mapping's
    /// values, and the names of the components that a union lists.
    private func discriminator() -> Schema.Discriminator? {
        guard let property = node["discriminator"]?["propertyName"]?.text else { return nil }
        var mapping: [String: SchemaID] = [:]
        for keyword in ["oneOf", "anyOf"] {
            for element in node[keyword]?.elements ?? [] {
                guard element.reference != nil, let target = try? compiler.resolver.target(of: element),
                    let name = target.name
                else { continue }
                mapping[name] = compiler.reserve(target.node, compiler.place(of: target))
            }
        }
        for member in node["discriminator"]?["mapping"]?.members ?? [] {
            guard let text = member.value.text else { continue }
            if let named = mapping[text] {
                mapping[member.key] = named
            } else if let id = target(text, at: member.value.position) {
                mapping[member.key] = id
            }
        }
        return mapping.isEmpty ? nil : Schema.Discriminator(property: property, mapping: mapping)
    }

    private func target(_ text: String, at position: SourcePosition) -> SchemaID? {
        let isName = !text.contains("/") && !text.contains("#") && !text.contains(".")
        let reference = isName ? "#/components/schemas/\(SchemaPlace.escaped(text))" : text
        let field = Node.Member(
            key: "$ref", keyPosition: position, value: Node(.scalar(reference, isQuoted: true), at: position))
        guard let target = try? compiler.resolver.target(of: Node(.object([field]), at: position)) else { return nil }
        return compiler.reserve(target.node, compiler.place(of: target))
    }

    private func count(_ key: String) -> Int? {
        guard let number = node[key]?.double, number >= 0, number < 1e15 else { return nil }
        return Int(number)
    }

    private func texts(_ key: String) -> [String]? {
        guard let list = node[key], list.isArray else { return nil }
        return list.elements.compactMap(\.text)
    }

    private func subschema(_ key: String) -> SchemaID? {
        guard let child = node[key], child.isObject || child.bool != nil else { return nil }
        return compiler.reserve(child, place.appending(key))
    }

    private func subschemas(_ key: String) -> [SchemaID] {
        guard let list = node[key], list.isArray else { return [] }
        return list.elements.enumerated().map { compiler.reserve($0.element, place.appending(key, "\($0.offset)")) }
    }

    private func named(_ key: String) -> [(name: String, schema: SchemaID)] {
        guard let object = node[key], object.isObject else { return [] }
        return object.members.map { ($0.key, compiler.reserve($0.value, place.appending(key, $0.key))) }
    }
}
#endif
