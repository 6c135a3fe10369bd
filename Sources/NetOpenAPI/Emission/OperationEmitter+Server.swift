extension OperationEmitter {
    /// Writes the code with which a server reads the request and sends its responses.
    func emitServing(_ item: Item, _ fields: [Field], _ writer: inout SourceWriter) {
        guard context.configuration.stubs else { return }
        let route = "(\(SwiftLiteral.string(item.model.method)), \(SwiftLiteral.string(item.model.path)))"
        writer.line("\(access)static var route: (method: String, path: String) { \(route) }")
        writer.block("\(access)init(received: inout ReceivedRequest) throws") { writer in
            let values = zip(fields, received(item)).map { (field: $0, text: $1) }
            let ordered = values.filter(\.field.isRequired) + values.filter { !$0.field.isRequired }
            let arguments = ordered.map { value in
                let fallback = value.field.isRequired ? nil : value.field.defaultValue
                return "\(SwiftIdentifier.label(value.field.name)): \(value.text)\(fallback.map { " ?? \($0)" } ?? "")"
            }
            writer.list("\(arguments.contains { !$0.hasSuffix("received.bytes") } ? "try " : "")self.init", arguments)
        }
        emitResponse(success(item.model), item.model.successes, item.names.successes, isFailure: false, &writer)
        if let failure = failure(item.model) {
            emitResponse(failure, item.model.failures, item.names.failures, isFailure: true, &writer)
        }
    }

    /// Returns the expression that reads each field of the request, in the order of the fields.
    private func received(_ item: Item) -> [String] {
        var values = item.model.parameters.map { parameter -> String in
            var arguments = SwiftLiteral.string(parameter.name)
            let isOptional = !parameter.isRequired
            func call(_ name: String) -> String {
                isOptional ? "optional\(name.capitalizedFirst)" : name
            }
            switch parameter.location {
            case .path, .query:
                if parameter.isJSON { return "received.\(call("JSONQuery").lowercasedJSON)(\(arguments))" }
                let standard = parameter.location == .path ? ("simple", false) : ("form", true)
                if parameter.style != standard.0 { arguments += ", style: .\(parameter.style)" }
                if parameter.explode != standard.1 { arguments += ", explode: \(parameter.explode)" }
                return parameter.location == .path
                    ? "received.path(\(arguments))" : "received.\(call("query"))(\(arguments))"
            case .header, .cookie:
                let standard = parameter.location == .cookie
                if parameter.explode != standard { arguments += ", explode: \(parameter.explode)" }
                return "received.\(call(parameter.location.rawValue))(\(arguments))"
            }
        }
        guard let body = item.model.body else { return values }
        func whole(_ call: String) -> String {
            body.isRequired ? "received.\(call)()" : "received.hasBody ? received.\(call)() : nil"
        }
        switch body.kind {
        case .json: values.append(whole("json"))
        case .form: values.append(whole("form"))
        case .text: values.append(whole("text"))
        case .raw: values.append("received.bytes")
        case .multipart(let parts):
            for part in parts {
                let name = SwiftLiteral.string(part.name)
                let kind =
                    switch part.kind {
                    case .file: "file"
                    case .files: "files"
                    case .value: "part"
                    }
                values.append("received.\(part.isRequired ? kind : "optional\(kind.capitalizedFirst)")(\(name))")
                for header in part.headers {
                    let call = part.isRequired && header.isRequired ? "partHeader" : "optionalPartHeader"
                    values.append("received.\(call)(\(SwiftLiteral.string(header.name)), of: \(name))")
                }
            }
        }
        return values
    }

    private func emitResponse(
        _ outcome: Outcome, _ responses: [ResponseModel], _ cases: [String], isFailure: Bool,
        _ writer: inout SourceWriter
    ) {
        let head = isFailure ? "response(failure value: Failure)" : "response(_ value: Response)"
        writer.block("\(access)static func \(head) throws -> ServerResponse") { writer in
            switch outcome {
            case .nothing:
                let status = responses.first.map { self.status($0, isFailure) } ?? "200"
                writer.line("ServerResponse.empty(status: \(status))")
            case .single:
                guard let first = responses.first else { return }
                writer.line(sent(first, status(first, isFailure), isReturned: false))
            case .several:
                writer.line("switch value {")
                for (response, name) in zip(responses, cases) {
                    var pattern: [String] = response.status.isSingle ? [] : ["let status"]
                    if response.content != .none { pattern.append(response.content.isCollected ? "let value" : "_") }
                    let payload = pattern.isEmpty ? "" : "(\(pattern.joined(separator: ", ")))"
                    let code = response.status.isSingle ? status(response, isFailure) : "status"
                    writer.line(
                        "case .\(SwiftIdentifier.quoted(name))\(payload): \(sent(response, code, isReturned: true))")
                }
                writer.line("}")
            }
        }
    }

    private func status(_ response: ResponseModel, _ isFailure: Bool) -> String {
        if case .code(let code) = response.status { return String(code) }
        if case .range(let digit) = response.status { return String(digit * 100) }
        return isFailure ? "500" : "200"
    }

    /// Returns the expression for a response.
    private func sent(_ response: ResponseModel, _ status: String, isReturned: Bool) -> String {
        let head = isReturned ? "return " : ""
        let type = response.contentType.flatMap { $0.contains("*") ? nil : $0 }
        func arguments(_ standard: String) -> String {
            "value, status: \(status)"
                + (type.flatMap { $0 == standard ? nil : ", contentType: \(SwiftLiteral.string($0))" } ?? "")
        }
        switch response.content {
        case .none: return "\(head)ServerResponse.empty(status: \(status))"
        case .json: return "\(head)try ServerResponse.json(\(arguments("application/json")))"
        case .text: return "\(head)try ServerResponse.text(\(arguments("text/plain")))"
        case .binary: return "\(head)ServerResponse.data(\(arguments("application/octet-stream")))"
        case .events, .sequence: return "throw ServerFault(status: 500, detail: \"a stream is sent as .other\")"
        }
    }
}

extension String {
    /// The name as that of a method: `JSONQuery` becomes `jsonQuery`.
    fileprivate var lowercasedJSON: String { hasPrefix("JSON") ? "json" + dropFirst(4) : self }
}
