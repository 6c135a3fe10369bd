extension OperationPlanner {
    /// Returns the request body of an operation; nil if there is none.
    func body(of node: Node, operation: Int) -> BodyModel? {
        guard let field = node["requestBody"], !field.isNull, let body = resolved(field), body.isObject else {
            return nil
        }
        let contents = read.members(body, "content").map { (type: ContentType($0.key), node: $0.value) }
        let isRequired = read.flag(body, "required") ?? false
        let documentation = read.documentation(body)
        let ranked = contents.enumerated().sorted {
            ($0.element.type.requestRank, $0.offset) < ($1.element.type.requestRank, $1.offset)
        }
        guard let chosen = ranked.first?.element else {
            log.warn("the request body has no content; bytes of your own are sent", at: body)
            return BodyModel(kind: .raw, contentType: nil, isRequired: isRequired, documentation: documentation)
        }
        if contents.count > 1 {
            let others = ranked.dropFirst().map(\.element.type.text).joined(separator: ", ")
            log.note("the request sends \(chosen.type.text); also declared: \(others)", at: body)
        }
        let media = resolved(chosen.node) ?? chosen.node
        let home = home(of: field, operation, suffix: "Body")
        let kind = bodyKind(chosen.type, media, home, operation)
        return BodyModel(
            kind: kind, contentType: contentType(chosen.type, at: chosen.node), isRequired: isRequired,
            documentation: documentation,
            examples: examples(of: media))
    }

    /// Returns the value of `Content-Type`; nil if the caller chooses it.
    private func contentType(_ type: ContentType, at media: Node) -> String? {
        guard !type.isWildcard, type.isUsable else { return nil }
        if let charset = type.charset, type.isForm, TextCharset(named: charset)?.isUTF8 != true {
            log.warn("a form is sent in UTF-8, not in the charset '\(charset)'", at: media)
        }
        guard type.isJSON, type.hasUnknownCharset else { return type.text }
        log.warn("the charset '\(type.charset ?? "")' is not known; the JSON is sent in UTF-8 without it", at: media)
        return type.essence
    }

    private func bodyKind(_ type: ContentType, _ media: Node, _ home: SchemaPlanner.Hint, _ operation: Int)
        -> BodyModel.Kind
    {
        let hint = home.name.isEmpty ? SchemaPlanner.Hint(owner: home.owner, name: "Body") : home
        let schema = media["schema"]
        if type.isJSON || (type.essence == "*/*" && isStructured(schema)) {
            return .json(schemas.use(schema, hint).element)
        }
        if type.isForm {
            if let schema, let node = resolved(schema), SchemaKind.list(of: node, log: log).contains("array") {
                log.warn(
                    "a form has named fields, and this schema is a list; the body is sent as you make it", at: schema)
                return .raw
            }
            let use = schemas.use(schema, hint)
            return .form(isStructured(schema) ? use.type : .dictionary(.json), fieldEncodings(media))
        }
        if type.isMultipart, let parts = parts(media, home, operation) { return .multipart(parts) }
        if type.isText, !type.hasUnknownCharset { return .text }
        if type.isText {
            log.warn(
                "the charset '\(type.charset ?? "")' is not known; the text is sent as you write it, in bytes",
                at: media)
        }
        return .raw
    }

    /// True if a schema is an object, an array or a composition of schemas.
    func isStructured(_ schema: Node?) -> Bool {
        guard let schema, let node = resolved(schema), node.isObject else { return false }
        let kinds = SchemaKind.list(of: node, log: log)
        if kinds.contains("object") || kinds.contains("array") { return true }
        return kinds.isEmpty && ["allOf", "oneOf", "anyOf"].contains { node[$0] != nil }
    }

    private func fieldEncodings(_ media: Node) -> [BodyModel.FieldEncoding] {
        read.members(media, "encoding").compactMap { member in
            let style = read.text(member.value, "style")
            guard style != nil || member.value["explode"] != nil else { return nil }
            let known = ["form", "spaceDelimited", "pipeDelimited", "deepObject"]
            let name = style.flatMap { known.contains($0) ? $0 : nil } ?? "form"
            return BodyModel.FieldEncoding(
                name: member.key, style: name,
                explode: read.flag(member.value, "explode") ?? ["form", "deepObject"].contains(name))
        }
    }

    /// Returns the parts of a multipart form; nil, with a warning, if its schema isn't an object with members.
    private func parts(_ media: Node, _ home: SchemaPlanner.Hint, _ operation: Int) -> [BodyModel.Part]? {
        var merged = MergedObject()
        if let schema = media["schema"] { schemas.merge(schema, into: &merged, path: []) }
        guard !merged.properties.isEmpty else {
            log.warn("a multipart body without named parts is sent as you make it", at: media["schema"] ?? media)
            return nil
        }
        if !merged.unions.isEmpty {
            log.warn("parts declared in 'oneOf' or 'anyOf' are not sent", at: merged.unions.first)
        }
        return merged.properties.map { property in
            let name = home.name.isEmpty ? property.name : "\(home.name) \(property.name)"
            let hint = SchemaPlanner.Hint(owner: home.owner, name: name)
            let node = resolved(property.node) ?? property.node
            let items = node["items"].flatMap { resolved($0) }
            let encoding = media["encoding"]?[property.name]
            let kind: BodyModel.Part.Kind
            if isFile(node) {
                kind = .file
            } else if let items, isFile(items) {
                kind = .files
            } else {
                kind = .value(schemas.use(property.node, hint).type)
            }
            let types = partTypes(encoding, of: isFile(node) ? node : items ?? node)
            return BodyModel.Part(
                name: property.name, kind: kind, isRequired: merged.required.contains(property.name),
                contentTypes: types,
                headers: encoding.map { headers(of: $0, operation: operation, owner: property.name) } ?? [],
                documentation: read.documentation(property.node))
        }
    }

    /// Returns the media types a part may have: those of its Encoding Object, or for a file without any, the one in its
    /// schema. For a value, only the type it is written as; none if that is the part's default.
    private func partTypes(_ encoding: Node?, of value: Node) -> [String] {
        let text = encoding.flatMap { read.text($0, "contentType") } ?? ""
        let types = ContentType.list(text).filter { type in
            if !type.isUsable { log.warn("'\(type.text)' isn't a media type", at: encoding?["contentType"]) }
            return type.isUsable
        }
        if isFile(value) {
            guard types.isEmpty, let own = value["contentMediaType"]?.text else { return types.map(\.text) }
            // `application/octet-stream` means only that the part is a file.
            let isKnown = ContentType(own).isUsable && ContentType(own).essence != "application/octet-stream"
            return isKnown ? [own] : []
        }
        return valueType(types.filter { !$0.isWildcard }, of: value, at: encoding?["contentType"]).map { [$0] } ?? []
    }

    /// Returns the media type a value is written as; nil for the default, or if no listed type can be written.
    private func valueType(_ types: [ContentType], of value: Node, at place: Node?) -> String? {
        let isObject = SchemaKind.list(of: value, log: log).contains("object")
        // Several types are allowed, and the default is one of them.
        if types.count > 1, types.contains(where: { $0.text == (isObject ? "application/json" : "text/plain") }) {
            return nil
        }
        guard
            let type = types.first(where: { !isObject || $0.isJSON }) ?? types.first(where: { !isObject || $0.isForm })
        else {
            if let first = types.first {
                log.warn("an object cannot be written as \(first.text); the part is sent as JSON", at: place)
            }
            return nil
        }
        guard type.hasUnknownCharset else { return type.text }
        log.warn("the charset '\(type.charset ?? "")' is not known; the part is sent in UTF-8 without it", at: place)
        return type.essence
    }

    private func isFile(_ node: Node) -> Bool {
        if node["format"]?.text == "binary" { return true }
        if node["type"]?.text == "file" { return true }
        return node["contentMediaType"]?.text != nil && node["contentEncoding"] == nil
    }
}
