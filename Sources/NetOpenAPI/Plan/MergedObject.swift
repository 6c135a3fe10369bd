/// The members of an object schema and of all schemas it is composed of.
struct MergedObject {
    struct Property {
        var name: String
        var node: Node
        /// The key of the referenced schema that declares it; nil if it is declared inline.
        var origin: String?
    }

    enum Additional {
        case unsaid, forbidden, open
        case schema(Node)
    }

    var properties: [Property] = []
    var required: Set<String> = []
    var additional = Additional.unsaid
    /// The composed schemas that are `oneOf` or `anyOf`.
    var unions: [Node] = []
    /// The composed schemas that aren't objects.
    var others: [Node] = []

    /// True if one of the schemas declares an object.
    var isObject = false

    /// True if any value is allowed, because none of the schemas restricts it.
    var saysNothing: Bool {
        guard case .unsaid = additional else { return false }
        return properties.isEmpty && required.isEmpty && unions.isEmpty && others.isEmpty && !isObject
    }

    mutating func add(_ name: String, _ node: Node, origin: String?) {
        guard let place = properties.firstIndex(where: { $0.name == name }) else {
            properties.append(Property(name: name, node: node, origin: origin))
            return
        }
        // A later schema narrows an earlier one, unless it consists only of annotations.
        guard node.members.contains(where: { !Self.annotations.contains($0.key) }) else { return }
        properties[place] = Property(name: name, node: node, origin: origin)
    }

    /// The keywords that don't affect the structure of a value.
    static let annotations: Set<String> = [
        "title", "description", "deprecated", "example", "examples", "externalDocs", "xml", "default", "readOnly",
        "writeOnly", "nullable", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties",
        "pattern", "uniqueItems", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
        "$comment",
        "unevaluatedProperties", "unevaluatedItems", "$id", "$schema", "$anchor",
    ]

    /// True if a schema consists only of annotations and bounds.
    static func isAnnotation(_ node: Node) -> Bool {
        node.members.allSatisfy { annotations.contains($0.key) || $0.key.hasPrefix("x-") }
    }

    /// True if a schema only restricts what other schemas declare.
    static func isConstraint(_ node: Node) -> Bool {
        node.members.allSatisfy {
            annotations.contains($0.key) || ["required", "not", "dependencies", "dependentRequired"].contains($0.key)
                || $0.key.hasPrefix("x-") || ($0.key == "type" && $0.value.text == "object")
        } && node["required"] != nil
    }
}

extension SchemaPlanner {
    /// Adds the members a schema declares; `path` contains the keys of the schemas this one is part of.
    func merge(_ node: Node, into merged: inout MergedObject, path: [String]) {
        guard node.isObject, path.count < 64 else { return }
        if node.reference != nil {
            guard let target = try? resolver.target(of: node) else {
                _ = self.target(node)
                return
            }
            let key = Self.key(target)
            guard !path.contains(key) else { return }
            merge(target.node, into: &merged, path: path + [key])
            mergeMembers(node, into: &merged, path: path)
            return
        }
        for member in read.list(node, "allOf") ?? [] { merge(member, into: &merged, path: path) }
        mergeMembers(node, into: &merged, path: path)
    }

    private func mergeMembers(_ node: Node, into merged: inout MergedObject, path: [String]) {
        for property in read.members(node, "properties") {
            merged.add(property.key, property.value, origin: path.last)
        }
        if node["required"]?.isArray == true { merged.required.formUnion(read.texts(node, "required")) }
        if let additional = node["additionalProperties"] {
            if let patterns = node["patternProperties"] {
                log.warn("'patternProperties' is not used beside 'additionalProperties'", at: patterns)
            }
            if additional.isObject, !additional.members.isEmpty {
                merged.additional = .schema(additional)
            } else if additional.isObject || additional.bool == true {
                merged.additional = .open
            } else if additional.bool == false {
                if case .unsaid = merged.additional { merged.additional = .forbidden }
            }
        } else if let patterns = node["patternProperties"]?.members, let first = patterns.first {
            merged.additional = patterns.count == 1 ? .schema(first.value) : .open
            log.warn("'patternProperties' is read as members of any name", at: node["patternProperties"])
        }
        let kinds = node["type"] == nil && node["properties"] == nil ? [] : SchemaKind.list(of: node, log: log)
        if kinds.contains("object") || node["properties"] != nil { merged.isObject = true }
        for key in ["oneOf", "anyOf"] where hasVariants(node, key, path) {
            merged.unions.append(
                Node(.object(node.members.filter { [key, "discriminator"].contains($0.key) }), at: node.position))
        }
        if node["enum"] != nil || node["const"] != nil || (!kinds.isEmpty && !kinds.contains("object")) {
            merged.others.append(node)
        }
    }

    /// True if a schema chooses between other schemas, none of which it is itself part of.
    private func hasVariants(_ node: Node, _ key: String, _ path: [String]) -> Bool {
        let variants = (node[key]?.elements ?? []).filter { !isNull($0) && !MergedObject.isConstraint($0) }
        guard !variants.isEmpty else { return false }
        return !variants.contains { variant in
            guard variant.reference != nil, let target = try? resolver.target(of: variant) else { return false }
            return path.contains(Self.key(target))
        }
    }
}
