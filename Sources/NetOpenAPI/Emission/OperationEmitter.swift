/// Writes one request type for each operation.
struct OperationEmitter {
    let context: SwiftContext
    let models: ModelEmitter

    var access: String { context.access }

    /// One operation that is being written.
    struct Item {
        let index: Int
        let model: OperationModel
        let names: SwiftNames.OperationNames
    }

    func item(_ index: Int) -> Item {
        Item(index: index, model: context.model.operations[index], names: context.names.operations[index])
    }

    func emit(_ index: Int, _ writer: inout SourceWriter) {
        let item = item(index)
        var extra = ["`\(item.model.method) \(DocComment.sentence(item.model.path))`"]
        if let security = securityText(item.model) { extra[0] += " " + security }
        writer.documentation(
            DocComment.lines(item.model.documentation, extra: extra, width: writer.width))
        if item.model.documentation.isDeprecated {
            writer.line("@available(*, deprecated, message: \"The document marks this operation as deprecated.\")")
        }
        writer.block("\(context.typeAccess)struct \(item.names.type): \(conformances(item))") { writer in
            emitHeaders(index, &writer)
            emitResultTypes(item, &writer)
            let servers = ServersEmitter(context: context, name: "Servers", type: "OperationServer")
            servers.emit(item.model.servers, "The servers of this operation.", &writer)
            if !item.model.servers.isEmpty { writer.line() }
            let fields = fields(item) + serverField(item)
            for field in fields {
                models.document(field.documentation, extra: field.extra, &writer)
                writer.line("\(access)var \(SwiftIdentifier.quoted(field.name)): \(field.type)")
            }
            if !fields.isEmpty { writer.line() }
            emitInit(fields, &writer)
            emitMethodAndPath(item, &writer)
            emitQuery(item, &writer)
            emitHeadersAndBody(item, &writer)
            emitOptions(item, &writer)
            emitSerializers(item, &writer)
            emitServing(item, self.fields(item), &writer)
            emitPagination(item, &writer)
            emitLinks(item, &writer)
            models.emitChildren(of: .operation(index), &writer)
        }
    }

    /// Returns the protocols of the request type.
    private func conformances(_ item: Item) -> String {
        let names = [
            item.model.links.isEmpty ? nil : "LinkedRequest", isPaged(item) ? "PagedRequest" : nil,
            context.configuration.stubs ? "ServableRequest" : nil,
        ]
        let written = names.compactMap { $0 }.joined(separator: ", ")
        return written.isEmpty ? "APIRequest" : written
    }

    private func securityText(_ operation: OperationModel) -> String? {
        let alternatives = (operation.security ?? []).map { requirement in
            requirement.isEmpty
                ? "none"
                : requirement.map { requirement in
                    let scopes = requirement.scopes.isEmpty ? "" : " (\(requirement.scopes.joined(separator: ", ")))"
                    return "`\(DocComment.sentence(requirement.scheme))`\(DocComment.sentence(scopes))"
                }.joined(separator: " and ")
        }
        guard !alternatives.isEmpty else { return nil }
        return "Security: \(alternatives.joined(separator: ", or ")). Your client adds the credentials."
    }
}

extension OperationEmitter {
    /// A stored property of a request.
    struct Field {
        var name: String
        var type: String
        var isRequired: Bool
        /// The default in the initializer; nil for `nil`.
        var defaultValue: String?
        var documentation: Documentation
        var extra: [String] = []
    }

    func fields(_ item: Item) -> [Field] {
        var fields = zip(item.model.parameters, item.names.parameters).map { parameter, name -> Field in
            let literal =
                parameter.isRequired && parameter.location == .path
                ? nil : context.literal(parameter.defaultValue, for: parameter.type)
            let isNullable = isEmptyNull(parameter)
            let type = isNullable ? "Nullable<\(context.text(parameter.type))>" : context.text(parameter.type)
            var extra = literal.map { ["Default: `\($0)`."] } ?? []
            if isNullable { extra.append("`.null` sends the name without a value.") }
            return Field(
                name: name, type: parameter.isRequired ? type : type + "?", isRequired: parameter.isRequired,
                defaultValue: isNullable ? literal.map { ".value(\($0))" } : literal,
                documentation: parameter.documentation, extra: extra)
        }
        guard let body = item.model.body else { return fields }
        if case .multipart(let parts) = body.kind {
            for (place, (part, name)) in zip(parts, item.names.parts).enumerated() {
                let type = partType(part.kind)
                fields.append(
                    Field(
                        name: name, type: part.isRequired ? type : type + "?", isRequired: part.isRequired,
                        documentation: part.documentation))
                for (header, name) in zip(part.headers, item.names.partHeaders[place]) {
                    let isRequired = part.isRequired && header.isRequired
                    let type = context.text(header.type)
                    fields.append(
                        Field(
                            name: name, type: isRequired ? type : type + "?", isRequired: isRequired,
                            documentation: header.documentation,
                            extra: ["The header `\(header.name)` of the part `\(DocComment.sentence(part.name))`."]))
                }
            }
        } else {
            let type = payloadType(body.kind)
            fields.append(
                Field(
                    name: item.names.payload, type: body.isRequired ? type : type + "?", isRequired: body.isRequired,
                    documentation: body.documentation))
        }
        return fields
    }

    /// True if a parameter needs a separate value in order to be sent empty; texts and lists can be empty themselves.
    private func isEmptyNull(_ parameter: ParameterModel) -> Bool {
        guard parameter.allowsEmpty else { return false }
        switch context.model.unaliased(parameter.type) {
        case .scalar(let scalar): return scalar != .string && scalar != .json
        case .named(let id): if case .enumeration = context.model[id].kind { return true } else { return false }
        case .array, .dictionary, .optional: return false
        }
    }

    /// Returns the field for the server of the request, if the operation has its own servers.
    private func serverField(_ item: Item) -> [Field] {
        guard let first = item.model.servers.first else { return [] }
        let value = "Servers.\(SwiftIdentifier.quoted(ServersEmitter.names(item.model.servers)[0]))"
        return [
            Field(
                name: "server", type: "OperationServer?", isRequired: false, defaultValue: value,
                documentation: Documentation(
                    description: "Where the request goes; nil is the client's base URL. "
                        + "Default: `\(DocComment.sentence(first.url))`."))
        ]
    }

    private func partType(_ kind: BodyModel.Part.Kind) -> String {
        switch kind {
        case .file: "FormFile"
        case .files: "[FormFile]"
        case .value(let type): context.text(type)
        }
    }

    private func payloadType(_ kind: BodyModel.Kind) -> String {
        switch kind {
        case .json(let type), .form(let type, _): context.text(type)
        case .text: "String"
        case .raw, .multipart: "RequestBody"
        }
    }

    private func emitInit(_ fields: [Field], _ writer: inout SourceWriter) {
        let ordered = fields.filter { $0.isRequired } + fields.filter { !$0.isRequired }
        let parameters = ordered.map { field -> String in
            let head = "\(SwiftIdentifier.quoted(field.name)): \(field.type)"
            if let value = field.defaultValue { return "\(head) = \(value)" }
            return field.isRequired ? head : head + " = nil"
        }
        guard !fields.isEmpty else { return writer.line("\(access)init() {}") }
        writer.function("\(access)init", parameters) { writer in
            for field in fields { writer.line("self.\(field.name) = \(SwiftIdentifier.quoted(field.name))") }
        }
    }

    private func emitMethodAndPath(_ item: Item, _ writer: inout SourceWriter) {
        let known = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "CONNECT"]
        let method =
            known.contains(item.model.method)
            ? ".\(item.model.method.lowercased())"
            : "HTTPRequest.Method(\(SwiftLiteral.string(item.model.method))) ?? .post"
        if item.model.method != "GET" { writer.line("\(access)var method: HTTPRequest.Method { \(method) }") }
        if item.model.pathParts.allSatisfy({ if case .literal = $0 { true } else { false } }) {
            writer.line("\(access)var path: Path { Path(\(SwiftLiteral.string(literalPath(item.model)))) }")
            return
        }
        if let text = interpolated(item), text.count < 90 {
            writer.line("\(access)var path: Path { \(text) }")
            return
        }
        writer.block("\(access)var path: Path") { writer in
            writer.line("var path = Path()")
            for part in item.model.pathParts {
                switch part {
                case .literal(let text): writer.line("path.append(literal: \(SwiftLiteral.string(text)))")
                case .parameter(let place):
                    let parameter = item.model.parameters[place]
                    writer.line(
                        "path.append(\(arguments(parameter, item.names.parameters[place], label: "parameter: ")))")
                }
            }
            writer.line("return path")
        }
    }

    /// Returns the path as one literal if all its values can be interpolated; nil if one needs a serialization style.
    private func interpolated(_ item: Item) -> String? {
        var text = ""
        for part in item.model.pathParts {
            switch part {
            case .literal(let literal): text += SwiftLiteral.string(literal).dropFirst().dropLast()
            case .parameter(let place):
                let parameter = item.model.parameters[place]
                guard parameter.style == "simple", !parameter.isJSON, isPlain(parameter.type) else { return nil }
                // Interpolating a closed enumeration would insert the name of its case.
                let isClosed = context.configuration.enumerations == .closed && isEnumeration(parameter.type)
                text += "\\(self.\(item.names.parameters[place])\(isClosed ? ".rawValue" : ""))"
            }
        }
        return "\"\(text)\""
    }

    private func isPlain(_ type: TypeReference) -> Bool {
        switch context.model.unaliased(type) {
        case .scalar(let scalar):
            switch scalar {
            case .string, .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64: return true
            default: return false
            }
        case .named: return isEnumeration(type)
        default: return false
        }
    }

    private func isEnumeration(_ type: TypeReference) -> Bool {
        guard case .named(let id) = context.model.unaliased(type), case .enumeration = context.model[id].kind else {
            return false
        }
        return true
    }

    private func literalPath(_ operation: OperationModel) -> String {
        operation.pathParts.map { if case .literal(let text) = $0 { text } else { "" } }.joined()
    }

    /// Returns the name, the value, and the style if it isn't the default for the parameter's location.
    private func arguments(_ parameter: ParameterModel, _ name: String, label: String = "") -> String {
        var text = "\(label)\(SwiftLiteral.string(parameter.name)), self.\(name)"
        let standard: (style: String, explode: Bool) =
            switch parameter.location {
            case .path, .header: ("simple", false)
            case .query, .cookie: ("form", true)
            }
        if parameter.style != standard.style { text += ", style: .\(parameter.style)" }
        if parameter.explode != standard.explode { text += ", explode: \(parameter.explode)" }
        if parameter.allowsReserved, parameter.location == .query { text += ", allowsReserved: true" }
        if parameter.allowsEmpty { text += ", allowsEmpty: true" }
        return text
    }

    private func emitQuery(_ item: Item, _ writer: inout SourceWriter) {
        let parameters = zip(item.model.parameters, item.names.parameters).filter { $0.0.location == .query }
        var lines = item.model.fixedQuery.map { fixed in
            let value = fixed.value.map(SwiftLiteral.string) ?? "nil"
            return "QueryItem(\(SwiftLiteral.string(fixed.name)), \(value), isEncoded: true)"
        }
        lines += parameters.map { parameter, name in
            parameter.isJSON
                ? "QueryItem.jsonParameter(\(SwiftLiteral.string(parameter.name)), self.\(name))"
                : "QueryItem.parameter(\(arguments(parameter, name)))"
        }
        guard let first = lines.first else { return }
        if lines.count == 1, first.count < 70 {
            return writer.line("\(access)var query: QueryItems { \(first) }")
        }
        writer.block("\(access)var query: QueryItems") { writer in
            for line in lines { writer.line(line) }
        }
    }
}
