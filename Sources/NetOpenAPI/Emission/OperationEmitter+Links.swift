extension OperationEmitter {
    /// Writes the links of the operation's responses: one function per link, which returns a request.
    func emitLinks(_ item: Item, _ writer: inout SourceWriter) {
        guard !item.model.links.isEmpty else { return }
        let links = item.model.links
        writer.block("\(access)func links(in response: FullResponse) -> Links") { writer in
            var arguments = ["response", "method: \(SwiftLiteral.string(item.model.method))"]
            let used = requestValues(item)
            if !used.isEmpty { arguments.append("request: [\(used.joined(separator: ", "))]") }
            switch success(item.model) {
            case .single(let content) where content.isEncodable: arguments.append("body: response.value")
            case .several:
                writer.line("var body: (any Encodable & Sendable)?")
                for (response, name) in zip(item.model.successes, item.names.successes)
                where response.content.isEncodable {
                    let pattern = response.status.isSingle ? "let value" : "_, let value"
                    writer.line(
                        "if case .\(SwiftIdentifier.quoted(name))(\(pattern)) = response.value { body = value }")
                }
                arguments.append("body: body")
            default: break
            }
            writer.list("return Links(source: LinkSource", arguments, tail: ")")
        }
        writer.line()
        writer.documentation(["The links of a response: requests made from its values."])
        writer.block("\(context.typeAccess)struct Links: Sendable") { writer in
            writer.line("fileprivate let source: LinkSource")
            var scope = NameScope(["source", "init", "self", "Type", "Protocol"])
            for link in links { emitLink(link, &scope, &writer) }
        }
    }

    private func emitLink(_ link: LinkModel, _ scope: inout NameScope, _ writer: inout SourceWriter) {
        let target = self.item(link.target)
        let fields = fields(target)
        var parameters: [String] = []
        var arguments: [(isRequired: Bool, text: String)] = []
        for (place, field) in fields.enumerated() {
            let isPayload = place == target.model.parameters.count && target.model.body?.isStructured == true
            let given = isPayload ? link.body : link.parameters[place]
            let label = SwiftIdentifier.label(field.name)
            switch given {
            case .constant(let json)?:
                arguments.append((field.isRequired, "\(label): source.constant(\(SwiftLiteral.string(json)))"))
            case .expression(let text)?:
                arguments.append((field.isRequired, "\(label): source.value(\(SwiftLiteral.string(text)))"))
            case nil:
                // Optional values can be set on the request.
                guard field.isRequired, field.defaultValue == nil else { continue }
                let name = SwiftIdentifier.quoted(field.name)
                parameters.append("\(name): \(field.type)")
                arguments.append((true, "\(label): \(name)"))
            }
        }
        let isThrowing = arguments.count > parameters.count
        var lines = DocComment.lines(Documentation(description: link.description), width: writer.width)
        if lines.isEmpty { lines = ["The request `\(target.names.type)` of this response."] }
        if isThrowing { lines += ["", "Throws `.invalidRequest` if the response lacks a value for it."] }
        writer.documentation(lines)
        let name = SwiftIdentifier.quoted(scope.claim(SwiftIdentifier.lowerCamel(link.name)))
        writer.function(
            "\(access)func \(name)", parameters,
            effects: "\(isThrowing ? "throws(NetError) " : "")-> \(target.names.type)"
        ) { writer in
            let ordered = arguments.filter(\.isRequired) + arguments.filter { !$0.isRequired }
            writer.list("\(isThrowing ? "try " : "")\(target.names.type)", ordered.map(\.text))
        }
    }

    /// Returns the values of the request that links refer to, by their expressions.
    private func requestValues(_ item: Item) -> [String] {
        var keys: Set<String> = []
        var values: [String] = []
        let texts = item.model.links.flatMap { Array($0.parameters.values) + [$0.body].compactMap { $0 } }
        for case .expression(let text) in texts {
            for expression in RuntimeExpression.all(in: text) {
                guard let (key, name) = requestValue(expression, item), keys.insert(key).inserted else { continue }
                values.append("\(SwiftLiteral.string(key)): self.\(name)")
            }
        }
        return values.sorted()
    }

    private func requestValue(_ expression: String, _ item: Item) -> (key: String, name: String)? {
        switch RuntimeExpression(expression)?.source {
        case .requestBody?: return ("body", item.names.payload)
        case .requestParameter(let location, let name)?:
            let place = item.model.parameters.firstIndex { $0.location == location && $0.name == name }
            return place.map { ("\(location.rawValue).\(name)", item.names.parameters[$0]) }
        default: return nil
        }
    }
}

extension ResponseModel.Content {
    /// True if its values can be encoded.
    var isEncodable: Bool {
        switch self {
        case .json, .text: true
        case .none, .binary, .events, .sequence: false
        }
    }
}
