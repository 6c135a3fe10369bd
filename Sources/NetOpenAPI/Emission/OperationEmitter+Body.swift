extension OperationEmitter {
    /// Returns the media types of the responses as a value for `Accept`.
    func accept(_ responses: [ResponseModel]) -> String? {
        var types: [String] = []
        for response in responses {
            for type in [response.contentType].compactMap({ $0 }) + response.otherTypes where !types.contains(type) {
                types.append(type)
            }
        }
        return types.isEmpty ? nil : types.joined(separator: ", ")
    }

    /// Returns the value of `Accept`; nil if it equals the one that the response's serializer sends by default.
    private func accept(_ item: Item) -> String? {
        let all = accept(item.model.successes + item.model.failures)
        guard case .single(.json) = success(item.model), all == "application/json" else { return all }
        return nil
    }

    func emitHeadersAndBody(_ item: Item, _ writer: inout SourceWriter) {
        let parameters = zip(item.model.parameters, item.names.parameters).filter {
            $0.0.location == .header || $0.0.location == .cookie
        }
        let accept = accept(item)
        let contentType = isRaw(item.model.body) ? item.model.body?.contentType : nil
        let body = bodyExpression(item)
        if parameters.isEmpty {
            var fields: [String] = []
            if let accept { fields.append(".accept: \(SwiftLiteral.string(accept))") }
            if let contentType { fields.append(".contentType: \(SwiftLiteral.string(contentType))") }
            if !fields.isEmpty {
                writer.line("\(access)var headers: HTTPFields { [\(fields.joined(separator: ", "))] }")
            }
            if let body { emitBody(body, item, &writer) }
            return
        }
        writer.block("private var parameterFields: ParameterFields") { writer in
            writer.line("var fields = ParameterFields(\(accept.map { "accept: \(SwiftLiteral.string($0))" } ?? ""))")
            if let contentType { writer.line("fields.append(\"Content-Type\", \(SwiftLiteral.string(contentType)))") }
            for (parameter, name) in parameters {
                let call = parameter.isJSON ? "appendJSON" : parameter.location == .cookie ? "appendCookie" : "append"
                let standard = parameter.location == .cookie
                let explode =
                    parameter.explode != standard && !parameter.isJSON ? ", explode: \(parameter.explode)" : ""
                writer.line("fields.\(call)(\(SwiftLiteral.string(parameter.name)), self.\(name)\(explode))")
            }
            writer.line("return fields")
        }
        writer.line("\(access)var headers: HTTPFields { parameterFields.headers }")
        emitBody("parameterFields.checked(\(body ?? ".none"))", item, &writer)
    }

    private func isRaw(_ body: BodyModel?) -> Bool {
        if case .raw? = body?.kind { true } else { false }
    }

    private func emitBody(_ expression: String, _ item: Item, _ writer: inout SourceWriter) {
        writer.line("\(access)var body: RequestBody { \(expression) }")
        guard case .multipart(let parts)? = item.model.body?.kind else { return }
        writer.block("private var multipartForm: MultipartForm") { writer in
            writer.line("var form = MultipartForm()")
            for (place, (part, name)) in zip(parts, item.names.parts).enumerated() {
                let arguments = "\(SwiftLiteral.string(part.name)), self.\(name)"
                writer.line("form.append(\(arguments)\(partTypes(part)))")
                for (header, name) in zip(part.headers, item.names.partHeaders[place]) {
                    let arguments = "\(SwiftLiteral.string(header.name)), self.\(name)"
                    writer.line("form.addHeader(\(arguments), to: \(SwiftLiteral.string(part.name)))")
                }
            }
            writer.line("return form")
        }
    }

    private func partTypes(_ part: BodyModel.Part) -> String {
        guard let first = part.contentTypes.first else { return "" }
        if case .value = part.kind { return ", contentType: \(SwiftLiteral.string(first))" }
        return ", contentTypes: \(SwiftLiteral.strings(part.contentTypes))"
    }

    /// Returns the body as an expression; nil if there is none.
    private func bodyExpression(_ item: Item) -> String? {
        guard let body = item.model.body else { return nil }
        let value = body.isRequired ? item.names.payload : "$0"
        let made: String
        switch body.kind {
        case .multipart: return ".multipart(multipartForm)"
        case .raw: return body.isRequired ? item.names.payload : "\(item.names.payload) ?? .none"
        case .json:
            let type = body.contentType ?? "application/json"
            let suffix = type == "application/json" ? "" : ", contentType: \(SwiftLiteral.string(type))"
            made = ".json(\(value), coding: .standard\(suffix))"
        case .form(_, let encodings): made = ".form(\(value)\(formEncoding(encodings)))"
        case .text:
            let type = body.contentType.flatMap {
                $0 == "text/plain" ? nil : ", contentType: \(SwiftLiteral.string($0))"
            }
            made = ".text(\(value)\(type ?? ""))"
        }
        return body.isRequired ? made : "\(item.names.payload).map { \(made) } ?? .none"
    }

    private func formEncoding(_ encodings: [BodyModel.FieldEncoding]) -> String {
        guard !encodings.isEmpty else { return "" }
        let pairs = encodings.map { field in
            "\(SwiftLiteral.string(field.name)): FormEncoding(style: .\(field.style), explode: \(field.explode))"
        }
        return ", encoding: [\(pairs.joined(separator: ", "))]"
    }

    func emitOptions(_ item: Item, _ writer: inout SourceWriter) {
        var arguments = [SwiftLiteral.string(item.model.operationID ?? item.model.identifier)]
        if !item.model.tags.isEmpty { arguments.append("tags: \(SwiftLiteral.strings(item.model.tags))") }
        if let security = item.model.security {
            let alternatives = security.map { alternative in
                let schemes = alternative.map {
                    "\(SwiftLiteral.string($0.scheme)): \(SwiftLiteral.strings($0.scopes))"
                }
                return schemes.isEmpty ? "[:]" : "[\(schemes.joined(separator: ", "))]"
            }
            arguments.append("security: [\(alternatives.joined(separator: ", "))]")
        }
        if !item.model.servers.isEmpty { arguments.append("server: server") }
        writer.line("\(access)var options: RequestOptions { .operation(\(arguments.joined(separator: ", "))) }")
    }
}
