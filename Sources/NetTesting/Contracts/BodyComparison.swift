internal import HTTPTypes
internal import NetCore
internal import NetRecord

/// Checks a body against a contract's rule. A response's body is passed as a request with the response's header fields.
struct BodyComparison: Sendable {
    let rule: Contract.BodyRule
    let wildcard: String
    let isStrict: Bool
    let text: ContractText

    func differences(_ request: StubRequest) -> [ContractDifference] { differences(request, rule) }

    /// The comparison as a matcher.
    var matcher: BodyMatcher {
        BodyMatcher("what the contract expects") { differences($0).map(\.description) }
    }

    private func differences(_ request: StubRequest, _ rule: Contract.BodyRule) -> [ContractDifference] {
        switch rule {
        case .anything: []
        case .absent: request.body.isEmpty ? [] : [size("no body", request.body)]
        case .present: request.body.isEmpty ? [size("a body", request.body)] : []
        case .text(wildcard): []
        case .text(let expected): sameBytes(Bytes(expected.utf8), request.body)
        case .bytes(let expected): sameBytes(expected, request.body)
        case .json(let expected):
            withJSON(request) {
                JSONComparison(wildcard: wildcard, isStrict: isStrict, text: text).differences($0, from: expected)
            }
        case .paths(let rules):
            rules.sorted { $0.key.description < $1.key.description }.flatMap { path, rule in
                withJSON(request) { self.path(path, rule, in: $0) }
            }
        case .form(let rules): form(request, rules)
        case .multipart(let parts): parts.flatMap { part(request, $0) }
        case .all(let rules): rules.flatMap { differences(request, $0) }
        case .code(let matcher):
            code(matcher, request)
        }
    }

    /// A code matcher's findings may contain secrets of a custom policy, so with one only its description is shown.
    private func code(_ matcher: BodyMatcher, _ request: StubRequest) -> [ContractDifference] {
        let found = matcher.differences(request)
        guard matcher.showsDifferences, text.policy == .safeDefault else {
            return found.isEmpty ? [] : [size(matcher.description, request.body)]
        }
        return found.prefix(10).map { ContractDifference("body", expected: matcher.description, actual: $0) }
    }

    private func size(_ expected: String, _ body: Bytes) -> ContractDifference {
        ContractDifference("body", expected: expected, actual: body.isEmpty ? "no body" : "\(body.count) bytes")
    }

    /// Raw bytes have no names that mark secrets, so only the offset of the first difference is shown.
    private func sameBytes(_ expected: Bytes, _ actual: Bytes) -> [ContractDifference] {
        if expected == actual { return [] }
        let place = zip(expected, actual).prefix { $0 == $1 }.map { _ in () }.count
        return [
            ContractDifference(
                "body", expected: "the given \(expected.count) bytes",
                actual: actual.isEmpty ? "no body" : "\(actual.count) bytes, different from byte \(place) on")
        ]
    }

    private func withJSON(
        _ request: StubRequest, _ compare: (JSONValue) -> [ContractDifference]
    ) -> [ContractDifference] {
        guard !request.body.isEmpty else { return [size("JSON", request.body)] }
        guard let value = try? request.decode(JSONValue.self) else {
            return [
                ContractDifference("body", expected: "JSON", actual: "\(request.body.count) bytes that aren't JSON")
            ]
        }
        return compare(value)
    }

    private func path(_ path: JSONPath, _ rule: Contract.ValueRule, in value: JSONValue) -> [ContractDifference] {
        if let problem = path.problem {
            return [ContractDifference("body.\(path)", expected: "a JSON path", actual: problem)]
        }
        let found = path.select(in: value)
        let matcher = rule.matcher(wildcard: wildcard)
        if matcher.matches(found.map { $0.value.stringValue ?? Shown.text($0.value) }) { return [] }
        let place = "body.\(path)"
        if isSecret(path, found.map(\.value), in: value) {
            let actual = found.isEmpty ? "absent" : text.policy.placeholder
            let expected = matcher.holdsValue ? text.policy.placeholder : matcher.description
            return [ContractDifference(place, expected: expected, actual: actual)]
        }
        let shown = found.prefix(5).map { text.json($0.value, name: "") }.joined(separator: ", ")
        return [
            ContractDifference(
                place, expected: text.matcher(matcher, name: ""), actual: found.isEmpty ? "absent" : shown)
        ]
    }

    /// Indicates whether the path names a secret of the policy, or reaches one through a wildcard.
    private func isSecret(_ path: JSONPath, _ found: [JSONValue], in value: JSONValue) -> Bool {
        let names = path.description.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
        if names.contains(where: { text.isSecret(member: String($0)) }) { return true }
        return path.select(in: value.hidingSecrets(text, wildcard: text.policy.placeholder)).map(\.value) != found
    }

    private func form(_ request: StubRequest, _ rules: [String: Contract.ValueRule]) -> [ContractDifference] {
        let type = "application/x-www-form-urlencoded"
        guard request.mediaType == type else {
            let actual = request.mediaType.isEmpty ? "no media type" : text.shown(request.mediaType)
            return [ContractDifference("body", expected: type, actual: actual)]
        }
        let items = StubRequest.items(of: String(decoding: request.body, as: UTF8.self))
        return ItemComparison(prefix: "body", wildcard: wildcard, isStrict: isStrict, text: text)
            .differences(items.map { ($0.name, $0.value ?? "") }, rules)
    }

    private func part(_ request: StubRequest, _ part: Contract.PartRule) -> [ContractDifference] {
        guard let parts = request.formParts else {
            return [
                ContractDifference("body", expected: "a multipart form", actual: "\(request.body.count) other bytes")
            ]
        }
        let place = "body.\(part.name)"
        let found = parts.filter { $0.name == part.name }.map { differences($0, part, at: place) }
        if found.isEmpty { return [ContractDifference(place, expected: "a part", actual: "absent")] }
        return found.contains(where: \.isEmpty) ? [] : found[0]
    }

    private func differences(
        _ part: MultipartPart, _ rule: Contract.PartRule, at place: String
    ) -> [ContractDifference] {
        let head = [
            ("filename", rule.filename, part.filename.map { [$0] } ?? []),
            ("Content-Type", rule.contentType, part.headers[values: .contentType]),
        ]
        let wrong = head.compactMap { name, rule, values -> ContractDifference? in
            guard let matcher = rule?.matcher(wildcard: wildcard), !matcher.matches(values) else { return nil }
            return ContractDifference(
                "\(place).\(name)", expected: text.matcher(matcher, name: name),
                actual: text.values(values, name: name))
        }
        let request = StubRequest(method: .post, target: "/", headers: part.headers, body: part.body)
        let isSecret = text.isSecret(rule.name)
        return wrong
            + differences(request, rule.body).map { inner in
                ContractDifference(
                    place + inner.field.dropFirst("body".count),
                    expected: isSecret ? text.policy.placeholder : inner.expected,
                    actual: isSecret ? text.policy.placeholder : inner.actual)
            }
    }
}
