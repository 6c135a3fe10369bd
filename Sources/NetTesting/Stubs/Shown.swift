internal import HTTPTypes
internal import NetCore

/// Values as an explanation shows them: short, and without what a name says is secret.
enum Shown {
    private static let policy = RedactionPolicy.safeDefault
    private static let limit = 80

    static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        return policy.queryNames.contains(name) || policy.fieldNames.contains(name)
    }

    /// The name that decides: a secret member's own members are secret too.
    static func inherited(_ outer: String, _ inner: String) -> String { isSecret(outer) ? outer : inner }

    /// One value in quotes.
    static func value(_ text: String, name: String) -> String {
        isSecret(name) ? policy.placeholder : "\"\(cut(text))\""
    }

    /// The values of a name; "absent" for none.
    static func values(_ values: [String], name: String) -> String {
        values.isEmpty ? "absent" : values.prefix(5).map { value($0, name: name) }.joined(separator: ", ")
    }

    static func matcher(_ matcher: ValueMatcher, name: String) -> String {
        isSecret(name) && matcher.holdsValue ? policy.placeholder : matcher.description
    }

    /// Scalars as they are; of objects and arrays only their kind, for they may hold secrets at any depth.
    static func json(_ value: JSONValue, name: String) -> String {
        switch value {
        case .object(let members): return "an object of \(members.count) members"
        case .array(let elements): return "an array of \(elements.count) elements"
        default: return isSecret(name) ? policy.placeholder : cut(text(value))
        }
    }

    /// The value as JSON text.
    static func text(_ value: JSONValue) -> String {
        (try? JSONCoding.standard.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "\(value)"
    }

    static func target(_ target: String) -> String { policy.redact(url: target) }

    private static func cut(_ text: String) -> String {
        text.count <= limit ? text : text.prefix(limit) + "…"
    }
}
