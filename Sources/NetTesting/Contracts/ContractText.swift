internal import HTTPTypes
internal import NetCore

/// Formats values for differences: short, and with the policy's secrets hidden.
struct ContractText: Sendable {
    private static let limit = 120
    let policy: RedactionPolicy

    /// Indicates whether the policy hides a query item, header field or form field of that name.
    func isSecret(_ name: String) -> Bool { policy.isSensitive(anyName: name) }

    /// Indicates whether the policy hides a JSON member of that name.
    func isSecret(member name: String) -> Bool { policy.isSensitive(bodyName: name) }

    /// The name that decides about secrecy: members of a secret member are also secret.
    func inherited(_ outer: String, _ inner: String) -> String { isSecret(member: outer) ? outer : inner }

    /// The values of a name; "absent" if there are none.
    func values(_ values: [String], name: String) -> String {
        if values.isEmpty { return "absent" }
        if isSecret(name) { return policy.placeholder }
        let more = values.count > 5 ? " and \(values.count - 5) more" : ""
        return values.prefix(5).map { "\"\(shown($0))\"" }.joined(separator: ", ") + more
    }

    func matcher(_ matcher: ValueMatcher, name: String) -> String {
        isSecret(name) && matcher.holdsValue ? policy.placeholder : shown(matcher.description)
    }

    /// Scalars as they are; objects and arrays only by kind and size, because they may contain secrets at any depth.
    func json(_ value: JSONValue, name: String) -> String {
        switch value {
        case .object(let members): "an object of \(members.count) members"
        case .array(let elements): "an array of \(elements.count) elements"
        default: isSecret(member: name) ? policy.placeholder : shown(Shown.text(value))
        }
    }

    /// A request with secrets hidden: `GET /users?page=2`.
    func request(_ request: StubRequest) -> String {
        // The request knows where a credential was placed.
        let text = ContractText(policy: policy.joined(with: request.redaction))
        let path = text.policy.redact(url: String(request.target.prefix { $0 != "?" }))
        let query = request.query.map { query in
            "?" + query.split(separator: "&", omittingEmptySubsequences: false).map(text.item).joined(separator: "&")
        }
        return cut("\(request.method.rawValue) \(path)\(query ?? "")")
    }

    /// A query item; its value may be a URL that contains secrets.
    private func item(_ text: Substring) -> String {
        guard let equals = text.firstIndex(of: "=") else { return String(text) }
        let name = PercentEncoding.decode(text[..<equals], plusIsSpace: true)
        let value = PercentEncoding.decode(text[text.index(after: equals)...], plusIsSpace: true)
        if isSecret(name) { return text[...equals] + policy.placeholder }
        return hides(value) ? text[...equals] + withoutSecrets(value) : String(text)
    }

    /// Indicates whether the text contains a URL with user information, or with query items that the policy hides.
    func hides(_ text: String) -> Bool { withoutSecrets(text) != text }

    /// The text for a message, with the secrets of URLs hidden.
    func shown(_ text: String) -> String { cut(withoutSecrets(text)) }

    private func withoutSecrets(_ text: String) -> String {
        text.contains("://") || text.contains("=") ? policy.redact(url: text) : policy.hidingValues(in: text)
    }

    private func cut(_ text: String) -> String {
        text.count <= Self.limit ? text : text.prefix(Self.limit) + "…"
    }
}
