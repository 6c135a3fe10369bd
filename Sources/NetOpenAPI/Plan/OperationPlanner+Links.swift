extension OperationPlanner {
    /// A link as written, until all operations are known.
    struct WaitingLink {
        let operation: Int
        let name: String
        let node: Node
        let isReference: Bool
    }

    /// Collects the links of an operation's success responses.
    func collectLinks(of response: Node, operation: Int) {
        for member in read.members(response, "links") where !member.key.hasPrefix("x-") {
            guard let node = resolved(member.value), node.isObject else { continue }
            let known = waitingLinks.contains { $0.operation == operation && $0.node.position == node.position }
            guard !known else { continue }
            waitingLinks.append(
                WaitingLink(
                    operation: operation, name: member.key, node: node, isReference: member.value.reference != nil))
        }
    }

    /// Adds the collected links to their operations.
    func readLinks() {
        for link in waitingLinks {
            guard let target = target(of: link.node) else { continue }
            var model = LinkModel(
                name: link.name, target: target, parameters: [:], description: read.text(link.node, "description"))
            for member in read.members(link.node, "parameters") {
                add(member, of: link, to: &model)
            }
            if let body = link.node["requestBody"] { model.body = value(body, of: link) }
            if let server = link.node["server"] {
                log.warn("the server of a link isn't used; set the 'server' of its request", at: server)
            }
            operations[link.operation].links.append(model)
        }
    }

    private func add(_ member: Node.Member, of link: WaitingLink, to model: inout LinkModel) {
        let parameters = operations[model.target].parameters
        let parts = member.key.split(separator: ".", maxSplits: 1).map(String.init)
        let location = parts.count == 2 ? ParameterModel.Location(rawValue: parts[0]) : nil
        let place = parameters.firstIndex { parameter in
            if let location, parameter.location == location, parameter.name == parts[1] { return true }
            return parameter.name == member.key
        }
        guard let place else {
            log.warn("the linked operation has no parameter '\(member.key)'; it is omitted", at: member.value)
            return
        }
        model.parameters[place] = value(member.value, of: link)
    }

    /// Returns the operation a link leads to; nil, with a warning, if there is none.
    private func target(of link: Node) -> Int? {
        if let identifier = read.text(link, "operationId") {
            if let place = operations.firstIndex(where: { $0.operationID == identifier }) { return place }
            // An operation that the filter excludes isn't an error in the document.
            if isEverything { log.warn("there is no operation '\(identifier)'; the link is omitted", at: link) }
            return nil
        }
        guard let reference = read.text(link, "operationRef") else {
            log.warn("a link needs 'operationId' or 'operationRef'; it is omitted", at: link)
            return nil
        }
        let segments = JSONPointer(text: String(reference.split(separator: "#", maxSplits: 1).last ?? ""))?.segments
        if reference.hasPrefix("#"), let segments, segments.count == 3, segments[0] == "paths",
            let place = operations.firstIndex(where: { $0.path == segments[1] && $0.method.lowercased() == segments[2] }
            )
        {
            return place
        }
        if isEverything {
            log.warn(
                "'\(reference)' isn't an operation of this document; the link is omitted", at: link["operationRef"])
        }
        return nil
    }

    /// Returns the value of a link's parameter; nil, with a warning, for an expression that has none.
    private func value(_ node: Node, of link: WaitingLink) -> LinkModel.Value? {
        guard let text = node.text, !node.isNull, RuntimeExpression.all(in: text).isEmpty == false else {
            return .constant(node.jsonText)
        }
        let operation = operations[link.operation]
        for expression in RuntimeExpression.all(in: text) {
            guard let parsed = RuntimeExpression(expression) else {
                log.warn("'\(expression)' isn't a runtime expression; the value is omitted", at: node)
                return nil
            }
            let isKnown =
                switch parsed.source {
                case .requestParameter(let location, let name):
                    operation.parameters.contains { $0.location == location && $0.name == name }
                case .requestBody: operation.body?.isStructured ?? false
                default: true
                }
            guard isKnown else {
                log.warn("the request has no value for '\(expression)'; it is omitted", at: node)
                return nil
            }
        }
        return .expression(text)
    }
}

extension BodyModel {
    /// True if the payload is a value that can be encoded.
    var isStructured: Bool {
        switch kind {
        case .json, .form, .text: true
        case .multipart, .raw: false
        }
    }
}
