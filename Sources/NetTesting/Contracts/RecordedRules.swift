internal import HTTPTypes
internal import NetCore
internal import NetRecord

/// Derives rules from one request: everything that clients don't add automatically must be equal, and values that the
/// policy hides may be anything.
struct RecordedRules {
    let policy: RedactionPolicy
    /// The request, with secrets hidden.
    private let request: CapturedExchange.Request
    private let url: String

    init(_ request: CapturedExchange.Request, policy: RedactionPolicy) {
        self.policy = policy
        self.request = policy.redact(request)
        url = String(request.url.prefix { $0 != "#" })
    }

    private var stub: StubRequest {
        StubRequest(method: request.method, target: request.url, headers: request.headers, body: request.body.bytes)
    }

    /// The path as recorded, with braces escaped, because a template would interpret them.
    var path: PathTemplate {
        let path = StubRequest(method: request.method, target: url).path
        return PathTemplate(
            path.reduce(into: "") { $0 += $1 == "{" ? "%7B" : $1 == "}" ? "%7D" : String($1) })
    }

    var query: [String: Contract.ValueRule] {
        let items = StubRequest(method: request.method, target: String(request.url.prefix { $0 != "#" })).queryItems
        return Dictionary(grouping: items, by: \.name).mapValues { rule($0.map { $0.value ?? "" }) }
    }

    var headers: [HTTPField.Name: Contract.ValueRule] {
        var rules: [HTTPField.Name: Contract.ValueRule] = [:]
        for name in Set(request.headers.map(\.name)).subtracting(Contract.automaticHeaders) {
            rules[name] = rule(request.headers[values: name])
        }
        // The boundary differs in each request.
        if let type = request.headers[.contentType] {
            rules[.contentType] = type.lowercased().hasPrefix("multipart/") ? .glob("multipart/*") : .exact(type)
        }
        return rules
    }

    var body: Contract.BodyRule {
        let body = request.body
        if body.isCut || body.failure != nil { return .anything }
        if body.isAbsent { return .absent }
        if let value = body.bytes.json(type: request.headers[.contentType]) {
            return .json(value.hidingSecrets(ContractText(policy: policy), wildcard: policy.placeholder))
        }
        if stub.mediaType == "application/x-www-form-urlencoded" {
            let items = StubRequest.items(of: String(decoding: body.bytes, as: UTF8.self))
            return .form(Dictionary(grouping: items, by: \.name).mapValues { rule($0.map { $0.value ?? "" }) })
        }
        if let parts = stub.formParts { return .multipart(parts.compactMap(part)) }
        return content(body.bytes)
    }

    private func part(_ part: MultipartPart) -> Contract.PartRule? {
        guard let name = part.name else { return nil }
        return Contract.PartRule(
            name, filename: part.filename.map { rule([$0]) },
            contentType: part.headers[.contentType].map { rule([$0]) },
            body: part.body.isEmpty ? .absent : content(part.body))
    }

    private func content(_ bytes: Bytes) -> Contract.BodyRule {
        guard let text = String(validating: bytes, as: UTF8.self) else { return .bytes(bytes) }
        return text.contains(policy.placeholder) ? .anything : .text(text)
    }

    private func rule(_ values: [String]) -> Contract.ValueRule {
        let text = ContractText(policy: policy)
        if values.contains(where: { $0.contains(policy.placeholder) || text.hides($0) }) { return .present }
        return values.count == 1 ? .exact(values[0]) : .exactly(values)
    }
}
