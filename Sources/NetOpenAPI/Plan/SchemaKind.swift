/// The JSON kinds a schema allows, and the scalar type for a kind and format.
enum SchemaKind {
    private static let known: Set<String> = ["object", "array", "string", "integer", "number", "boolean"]
    /// Kinds that aren't in any specification but occur in documents.
    private static let lenient = [
        "int": "integer", "int32": "integer", "int64": "integer", "long": "integer", "float": "number",
        "double": "number", "decimal": "number", "bool": "boolean", "file": "string", "date": "string",
        "datetime": "string", "uuid": "string", "str": "string", "text": "string", "map": "object", "list": "array",
    ]

    /// Returns the kinds other than `null`, as written or inferred from other keywords; an empty list allows any kind.
    static func list(of node: Node, log: DiagnosticLog) -> [String] {
        guard let type = node["type"], !type.isNull else { return inferred(node) }
        let texts = type.isArray ? type.elements.compactMap(\.text) : [type.text].compactMap { $0 }
        var kinds: [String] = []
        for text in texts where text != "null" {
            if known.contains(text) {
                if !kinds.contains(text) { kinds.append(text) }
            } else if let kind = lenient[text.lowercased()]
                ?? (known.contains(text.lowercased()) ? text.lowercased() : nil)
            {
                log.warn("there is no type '\(text)'; it is read as '\(kind)'", at: type)
                if !kinds.contains(kind) { kinds.append(kind) }
            } else if text != "any" {
                log.warn("there is no type '\(text)'; free-form JSON is used", at: type)
                return []
            }
        }
        // `number` includes every integer.
        if kinds.contains("number") { kinds.removeAll { $0 == "integer" } }
        return kinds
    }

    private static func inferred(_ node: Node) -> [String] {
        let keys = Set(node.members.map(\.key))
        if !keys.isDisjoint(with: ["properties", "additionalProperties", "patternProperties"]) { return ["object"] }
        if !keys.isDisjoint(with: ["items", "prefixItems"]) { return ["array"] }
        if let format = node["format"]?.text {
            if ["int32", "int64"].contains(format) { return ["integer"] }
            if ["float", "double"].contains(format) { return ["number"] }
            if format != "decimal", scalar("string", format: format, node) != .string { return ["string"] }
        }
        if !keys.isDisjoint(with: ["pattern", "minLength", "maxLength", "contentEncoding", "contentMediaType"]) {
            return ["string"]
        }
        if !keys.isDisjoint(with: ["minimum", "maximum", "multipleOf"]) { return ["number"] }
        return []
    }

    static func scalar(_ kind: String, format: String?, _ node: Node) -> TypeReference.Scalar {
        switch kind {
        case "string": string(format, node)
        case "integer": integer(format, node)
        case "number": number(format)
        case "boolean": .bool
        default: .json
        }
    }

    private static func string(_ format: String?, _ node: Node) -> TypeReference.Scalar {
        switch format {
        case "date-time": .date
        case "date": .calendarDate
        case "uuid": .uuid
        case "uri", "url": .url
        case "byte", "base64": .data
        case "decimal": .decimalText
        // `contentEncoding` decides, although base64 without `contentMediaType` is often meant to be seen as text.
        default: node["contentEncoding"]?.text == "base64" ? .data : .string
        }
    }

    private static func integer(_ format: String?, _ node: Node) -> TypeReference.Scalar {
        switch format {
        case "int8": .int8
        case "int16": .int16
        case "int32": .int32
        case "int64": .int64
        case "uint": .uint
        case "uint8": .uint8
        case "uint16": .uint16
        case "uint32": .uint32
        case "uint64": .uint64
        default: showsMoreThanInt64(node) ? (node["minimum"]?.double ?? -1 < 0 ? .decimal : .uint64) : .int
        }
    }

    /// True if an example or default doesn't fit in `Int64`: such values occur, whatever the bounds are.
    private static func showsMoreThanInt64(_ node: Node) -> Bool {
        let shown = [node["example"], node["default"]].compactMap { $0 } + (node["examples"]?.elements ?? [])
        return shown.contains { value in
            guard let text = value.text, let number = value.double else { return false }
            return Int64(text) == nil && abs(number) >= 0x1p63
        }
    }

    private static func number(_ format: String?) -> TypeReference.Scalar {
        switch format {
        case "decimal": .decimal
        case "int32": .int32
        case "int64": .int64
        // `float` too: a JSON number can have more digits than a `Float` keeps, and encoding it again would lose them.
        default: .double
        }
    }
}
