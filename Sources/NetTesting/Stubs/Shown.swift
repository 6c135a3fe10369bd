internal import HTTPTypes
internal import NetCore
internal import NetRecord

/// Formats values for explanations: short, and with secrets hidden by name.
enum Shown {
    private static let policy = RedactionPolicy.safeDefault
    private static let limit = 80
    private static let bodyLimit = 200

    /// The placeholder for a secret.
    static var hidden: String { policy.placeholder }

    static func isSecret(_ name: String) -> Bool { policy.isSensitive(anyName: name) }

    /// The name that determines secrecy: members of a secret member are also secret.
    static func inherited(_ outer: String, _ inner: String) -> String { isSecret(outer) ? outer : inner }

    /// One value in quotes.
    static func value(_ text: String, name: String) -> String {
        isSecret(name) ? policy.placeholder : "\"\(cut(Printed.text(text)))\""
    }

    /// The values of a name; "absent" if there are none.
    static func values(_ values: [String], name: String) -> String {
        values.isEmpty ? "absent" : values.prefix(5).map { value($0, name: name) }.joined(separator: ", ")
    }

    static func matcher(_ matcher: ValueMatcher, name: String) -> String {
        isSecret(name) && matcher.holdsValue ? policy.placeholder : policy.hidingValues(in: matcher.description)
    }

    /// Scalars as they are; objects and arrays only by kind and size, because they may contain secrets at any depth.
    static func json(_ value: JSONValue, name: String) -> String {
        switch value {
        case .object(let members): return "an object of \(members.count) members"
        case .array(let elements): return "an array of \(elements.count) elements"
        default: return isSecret(name) ? policy.placeholder : cut(policy.hidingValues(in: text(value)))
        }
    }

    /// The value as JSON text.
    static func text(_ value: JSONValue) -> String {
        (try? JSONCoding.standard.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "\(value)"
    }

    static func target(_ target: String) -> String { policy.redact(url: target) }

    /// A host and port, without user and password.
    static func authority(_ authority: String) -> String { String(policy.redact(url: "//" + authority).dropFirst(2)) }

    /// Header fields, each as `name: value`.
    static func headers(_ headers: HTTPFields, _ policy: RedactionPolicy) -> [String] {
        policy.redact(headers).map { "\($0.name.rawName): \(cut($0.value))" }
    }

    /// The size of a body, and its beginning if secrets can be found in its type: JSON and forms.
    static func body(_ request: StubRequest) -> String {
        guard !request.body.isEmpty else { return "no body" }
        let size = "\(request.body.count) bytes"
        let type = request.mediaType
        let isJSON = type.hasSuffix("json") || (try? request.decode(JSONValue.self)) != nil
        let canHide = isJSON || type == "application/x-www-form-urlencoded" || type == "multipart/form-data"
        let redacted = request.redaction.redact(
            CapturedExchange.Request(
                method: request.method, url: "", headers: request.headers, body: CapturedBody(request.body)))
        guard canHide, let text = String(validating: redacted.body.bytes, as: UTF8.self) else { return size }
        return "\(size): \(cut(text, at: bodyLimit).debugDescription)"
    }

    private static func cut(_ text: String, at limit: Int = Self.limit) -> String {
        text.count <= limit ? text : text.prefix(limit) + "…"
    }
}
