internal import HTTPTypes
internal import NetCore

/// Compares a real response with the one that a contract expects.
struct ResponseComparison {
    let expected: Contract.Response
    let wildcard: String
    let text: ContractText

    func differences(_ head: ResponseHead, _ body: Bytes) -> [ContractDifference] {
        var found: [ContractDifference] = []
        if head.status.code != expected.status.code {
            found.append(
                ContractDifference("status", expected: "\(expected.status.code)", actual: "\(head.status.code)"))
        }
        let headers = ItemComparison(prefix: "header", wildcard: wildcard, isStrict: false, text: text)
        for (name, rule) in headerRules.sorted(by: { $0.key.canonicalName < $1.key.canonicalName }) {
            if let difference = headers.difference(name.rawName, head.headers[values: name], rule) {
                found.append(difference)
            }
        }
        let response = StubRequest(method: .get, target: "/", headers: head.headers, body: body)
        found += BodyComparison(rule: bodyRule, wildcard: wildcard, isStrict: false, text: text).differences(response)
        return found.prefix(50).map {
            ContractDifference("response.\($0.field)", expected: $0.expected, actual: $0.actual)
        }
    }

    private var headerRules: [HTTPField.Name: Contract.ValueRule] {
        var rules = expected.headerRules
        for name in Set(expected.headers.map(\.name)) where rules[name] == nil {
            let values = expected.headers[values: name]
            rules[name] = values.count == 1 ? .exact(values[0]) : .exactly(values)
        }
        return rules
    }

    private var bodyRule: Contract.BodyRule {
        if let rule = expected.bodyRule { return rule }
        if expected.body.isEmpty { return .absent }
        if let value = expected.body.json(type: expected.headers[.contentType]) {
            return .json(value.hidingSecrets(text, wildcard: wildcard))
        }
        // Text that contains a hidden value can't be compared.
        return String(decoding: expected.body, as: UTF8.self).contains(wildcard) ? .anything : .bytes(expected.body)
    }
}

extension Bytes {
    /// The bytes as JSON; nil if neither the media type nor the first byte indicates JSON, or if they aren't valid
    /// JSON.
    func json(type: String?) -> JSONValue? {
        let start = first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0a && $0 != 0x0d }
        let looksLikeIt = start == UInt8(ascii: "{") || start == UInt8(ascii: "[")
        guard looksLikeIt || (type ?? "").lowercased().contains("json") else { return nil }
        return try? JSONCoding.standard.decode(JSONValue.self, from: self)
    }
}

extension JSONValue {
    /// The same value with the wildcard in place of all secrets.
    func hidingSecrets(_ text: ContractText, wildcard: String) -> JSONValue {
        switch self {
        case .object(let members):
            .object(
                members.reduce(into: [:]) { result, member in
                    result[member.key] =
                        text.isSecret(member: member.key)
                        ? .string(wildcard) : member.value.hidingSecrets(text, wildcard: wildcard)
                })
        case .array(let elements): .array(elements.map { $0.hidingSecrets(text, wildcard: wildcard) })
        default: self
        }
    }
}
