extension OperationPlanner {
    /// Returns the declared responses, with successes and failures separated.
    func responses(of node: Node, operation: Int) -> (successes: [ResponseModel], failures: [ResponseModel]) {
        var declared: [(status: ResponseModel.Status, node: Node, home: SchemaPlanner.Hint)] = []
        for member in read.members(node, "responses") where !member.key.hasPrefix("x-") {
            guard let status = status(member.key) else {
                log.warn("'\(member.key)' isn't a status code; the response is ignored", at: member.value)
                continue
            }
            if let response = resolved(member.value) {
                declared.append((status, response, home(of: member.value, operation, suffix: "Response")))
            }
        }
        let successes = declared.filter { $0.status.isSuccess }
        let failures = declared.filter { $0.status.isFailure }
        for response in declared where !response.status.isSuccess && !response.status.isFailure {
            log.note("a response with a 1xx or 3xx status is not typed", at: response.node)
        }
        let isShared = successes.isEmpty && failures.contains { $0.status == .other }
        let typed = successes.flatMap {
            self.responses(
                $0.status, $0.node, name: successes.count == 1 ? "Response" : $0.status.words + " Response", $0.home,
                operation)
        }
        var failed: [ResponseModel] = []
        for failure in failures {
            failed += self.responses(
                failure.status, failure.node,
                name: isShared && failure.status == .other ? "Response" : failure.status.words + " Error",
                failure.home, operation)
        }
        let shared = isShared ? failed.filter { $0.status == .other } : []
        if !shared.isEmpty {
            // Without a success response, `default` is the success; it is a failure too if it declares content.
            if shared.allSatisfy({ $0.content == .none }) { failed.removeAll { $0.status == .other } }
            return (shared, Self.ordered(failed))
        }
        return (Self.ordered(typed), Self.ordered(failed))
    }

    /// Returns the responses by status; several for one status stay in their order.
    private static func ordered(_ responses: [ResponseModel]) -> [ResponseModel] {
        responses.enumerated().sorted { ($0.element.status.order, $0.offset) < ($1.element.status.order, $1.offset) }
            .map(\.element)
    }

    private func status(_ text: String) -> ResponseModel.Status? {
        if text == "default" { return .other }
        if let code = Int(text), (100...599).contains(code) { return .code(code) }
        let upper = text.uppercased()
        guard upper.count == 3, upper.hasSuffix("XX"), let digit = upper.first?.wholeNumberValue,
            (1...5).contains(digit)
        else { return nil }
        return .range(digit)
    }

    /// Returns one response for each kind of content that a server may choose, the preferred one first.
    private func responses(
        _ status: ResponseModel.Status, _ node: Node, name: String, _ home: SchemaPlanner.Hint,
        _ operation: Int
    ) -> [ResponseModel] {
        let contents = read.members(node, "content").map { (type: ContentType($0.key), node: $0.value) }
        let ranked = contents.enumerated().sorted {
            ($0.element.type.responseRank, $0.offset) < ($1.element.type.responseRank, $1.offset)
        }
        var model = ResponseModel(status: status, content: .none, description: read.text(node, "description"))
        model.headers = headers(of: node, operation: operation)
        if status.isSuccess { collectLinks(of: node, operation: operation) }
        guard let chosen = ranked.first?.element, status != .code(204), status != .code(205) else { return [model] }
        let hint = home.name.isEmpty ? SchemaPlanner.Hint(owner: home.owner, name: name) : home
        let media = resolved(chosen.node) ?? chosen.node
        model.content = content(chosen.type, media, hint)
        model.examples = examples(of: media)
        model.contentType = chosen.type.isUsable ? chosen.type.text : nil
        var models = [model]
        var unread: [String] = []
        for other in ranked.dropFirst().map(\.element) {
            let media = resolved(other.node) ?? other.node
            guard other.type.isUsable, other.type.isReadable(isStructured: isStructured(media["schema"])) else {
                unread.append(other.type.text)
                continue
            }
            let words = other.type.words
            let isSame = other.type.isJSON && chosen.type.isJSON && Self.haveSameSchema(media, resolved(chosen.node))
            let content = isSame ? model.content : content(other.type, media, hint.suffixed(words))
            if let place = models.firstIndex(where: { $0.content == content }) {
                if !isSame { models[place].otherTypes.append(other.type.text) }
                continue
            }
            var variant = model
            variant.content = content
            variant.contentType = other.type.text
            variant.examples = examples(of: media)
            variant.variant = words
            models.append(variant)
        }
        if !unread.isEmpty {
            log.note(
                "the response is read as \(chosen.type.text); not asked for: \(unread.joined(separator: ", "))",
                at: node)
        }
        return models
    }

    private static func haveSameSchema(_ media: Node, _ other: Node?) -> Bool {
        media["schema"]?.jsonText == other?["schema"]?.jsonText
    }

    private func content(_ type: ContentType, _ media: Node, _ hint: SchemaPlanner.Hint) -> ResponseModel.Content {
        let schema = media["schema"]
        if type.isJSON || (type.essence == "*/*" && isStructured(schema)) {
            return .json(schemas.use(schema, hint).element)
        }
        if type.isEvents { return .events(event(media, hint)) }
        if type.isSequence {
            let element = media["itemSchema"] ?? schema.flatMap { items(of: $0) } ?? schema
            let item = schemas.use(element, hint.suffixed("Item")).element
            return .sequence(item, hasRecordSeparators: type.hasRecordSeparators)
        }
        if let item = media["itemSchema"] {
            log.warn("'itemSchema' is for media types that are sequences; '\(type.text)' isn't one", at: item)
        }
        guard type.isText else { return .binary }
        guard let name = type.charset else { return .text(charset: nil) }
        guard let charset = TextCharset(named: name) else {
            log.warn("the charset '\(name)' is not known; the response is read as bytes", at: media)
            return .binary
        }
        return .text(charset: charset.isUTF8 ? nil : charset.member)
    }

    /// Returns the schema of the elements if a schema is an array; nil otherwise.
    private func items(of schema: Node) -> Node? {
        guard let node = resolved(schema), SchemaKind.list(of: node, log: log) == ["array"] else { return nil }
        return node["items"]
    }

    /// Returns the type of the events' data; nil if it is plain text or not declared.
    private func event(_ media: Node, _ hint: SchemaPlanner.Hint) -> TypeReference? {
        let hint = hint.suffixed("Event")
        if let item = media["itemSchema"] {
            let node = resolved(item) ?? item
            let data = node["properties"]?["data"].flatMap { resolved($0) }
            if let content = data?["contentSchema"] { return schemas.use(content, hint).element }
            if node["properties"]?["data"] != nil { return nil }
            return isStructured(item) ? schemas.use(item, hint).element : nil
        }
        guard let schema = media["schema"], isStructured(schema) else { return nil }
        let node = resolved(schema) ?? schema
        if node["type"]?.text == "array", let items = node["items"] { return schemas.use(items, hint).element }
        return schemas.use(schema, hint).element
    }
}

extension ResponseModel.Status {
    var isSuccess: Bool {
        switch self {
        case .code(let code): (200..<300).contains(code)
        case .range(let digit): digit == 2
        case .other: false
        }
    }

    var isFailure: Bool {
        switch self {
        case .code(let code): code >= 400
        case .range(let digit): digit >= 4
        case .other: true
        }
    }

    /// The sort order: codes first, then ranges, then `default`.
    var order: Int {
        switch self {
        case .code(let code): code
        case .range(let digit): 1000 + digit
        case .other: 2000
        }
    }

    /// The status in words (RFC 9110 section 15 and the IANA registry).
    var words: String {
        switch self {
        case .code(let code): Self.phrases[code] ?? "status \(code)"
        case .range(2): "success"
        case .range(4): "client error"
        case .range(5): "server error"
        case .range(let digit): "status \(digit)XX"
        case .other: "default"
        }
    }

    private static let phrases: [Int: String] = [
        200: "ok", 201: "created", 202: "accepted", 203: "non authoritative information", 204: "no content",
        205: "reset content", 206: "partial content", 207: "multi status", 208: "already reported", 226: "im used",
        400: "bad request", 401: "unauthorized", 402: "payment required", 403: "forbidden", 404: "not found",
        405: "method not allowed", 406: "not acceptable", 407: "proxy authentication required", 408: "request timeout",
        409: "conflict", 410: "gone", 411: "length required", 412: "precondition failed", 413: "content too large",
        414: "uri too long", 415: "unsupported media type", 416: "range not satisfiable", 417: "expectation failed",
        418: "im a teapot", 421: "misdirected request", 422: "unprocessable content", 423: "locked",
        424: "failed dependency", 425: "too early", 426: "upgrade required", 428: "precondition required",
        429: "too many requests", 431: "request header fields too large", 451: "unavailable for legal reasons",
        500: "internal server error", 501: "not implemented", 502: "bad gateway", 503: "service unavailable",
        504: "gateway timeout", 505: "http version not supported", 507: "insufficient storage", 508: "loop detected",
        511: "network authentication required",
    ]
}
