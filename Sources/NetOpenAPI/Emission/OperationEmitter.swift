/// Writes one request type for each operation.
struct OperationEmitter {
    let context: SwiftContext
    let models: ModelEmitter

    var access: String { context.access }

    /// One operation while it is written.
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
        let summary = "`\(item.model.method) \(DocComment.sentence(item.model.path))`"
        var extra =
            item.model.documentation.summary == nil && item.model.documentation.description == nil ? [] : [summary]
        if let security = securityText(item.model) { extra.append(security) }
        writer.documentation(
            DocComment.lines(item.model.documentation, fallback: summary, extra: extra, width: writer.width))
        if item.model.documentation.isDeprecated {
            writer.line("@available(*, deprecated, message: \"The document marks this operation as deprecated.\")")
        }
        writer.block("\(access)struct \(item.names.type): APIRequest") { writer in
            emitResultTypes(item, &writer)
            let fields = fields(item)
            for field in fields {
                models.document(field.documentation, fallback: field.fallback, extra: field.extra, &writer)
                writer.line("\(access)var \(SwiftIdentifier.quoted(field.name)): \(field.type)")
            }
            if !fields.isEmpty { writer.line() }
            emitInit(fields, &writer)
            emitMethodAndPath(item, &writer)
            emitQuery(item, &writer)
            emitHeadersAndBody(item, &writer)
            emitOptions(item, &writer)
            emitSerializers(item, &writer)
            models.emitChildren(of: .operation(index), &writer)
        }
    }

    private func securityText(_ operation: OperationModel) -> String? {
        let alternatives = operation.security.map { requirement in
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
        /// The default in the init; nil for `nil`.
        var defaultValue: String?
        var documentation: Documentation
        var fallback: String
        var extra: [String] = []
    }

    func fields(_ item: Item) -> [Field] {
        var fields = zip(item.model.parameters, item.names.parameters).map { parameter, name -> Field in
            let literal =
                parameter.isRequired && parameter.location == .path
                ? nil : context.literal(parameter.defaultValue, for: parameter.type)
            let type = context.text(parameter.type)
            return Field(
                name: name, type: parameter.isRequired ? type : type + "?", isRequired: parameter.isRequired,
                defaultValue: literal, documentation: parameter.documentation,
                fallback: "The \(parameter.location.rawValue) parameter `\(DocComment.sentence(parameter.name))`.",
                extra: literal.map { ["Default: `\($0)`."] } ?? [])
        }
        guard let body = item.model.body else { return fields }
        if case .multipart(let parts) = body.kind {
            fields += zip(parts, item.names.parts).map { part, name in
                let type = partType(part.kind)
                return Field(
                    name: name, type: part.isRequired ? type : type + "?", isRequired: part.isRequired,
                    documentation: part.documentation, fallback: "The part `\(DocComment.sentence(part.name))`.")
            }
        } else {
            let type = payloadType(body.kind)
            fields.append(
                Field(
                    name: item.names.payload, type: body.isRequired ? type : type + "?", isRequired: body.isRequired,
                    documentation: body.documentation, fallback: "What is sent."))
        }
        return fields
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
        writer.documentation(["Takes what is sent; what may be left out is nil."])
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
        writer.line()
        writer.line("\(access)var method: HTTPRequest.Method { \(method) }")
        writer.line()
        if item.model.pathParts.allSatisfy({ if case .literal = $0 { true } else { false } }) {
            writer.line("\(access)var path: Path { Path(\(SwiftLiteral.string(literalPath(item.model)))) }")
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

    private func literalPath(_ operation: OperationModel) -> String {
        operation.pathParts.map { if case .literal(let text) = $0 { text } else { "" } }.joined()
    }

    /// Name, value, and the style where it is not the default of its place.
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
        return text
    }

    private func emitQuery(_ item: Item, _ writer: inout SourceWriter) {
        let parameters = zip(item.model.parameters, item.names.parameters).filter { $0.0.location == .query }
        guard !parameters.isEmpty || !item.model.fixedQuery.isEmpty else { return }
        writer.line()
        writer.block("\(access)var query: [QueryItem]") { writer in
            for fixed in item.model.fixedQuery {
                let value = fixed.value.map(SwiftLiteral.string) ?? "nil"
                writer.line("QueryItem(\(SwiftLiteral.string(fixed.name)), \(value), isEncoded: true)")
            }
            for (parameter, name) in parameters {
                if parameter.isJSON {
                    writer.line("QueryItem.jsonParameter(\(SwiftLiteral.string(parameter.name)), self.\(name))")
                } else {
                    writer.line("QueryItem.parameter(\(arguments(parameter, name)))")
                }
            }
        }
    }
}
