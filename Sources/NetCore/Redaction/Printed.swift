package import HTTPTypes

/// Parts of values as `print`, `dump` and a debugger show them: redacted with ``RedactionPolicy/safeDefault``.
package enum Printed {
    private static let policy = RedactionPolicy.safeDefault

    /// The text of a hidden value.
    package static var hidden: String { policy.placeholder }

    /// Returns header fields, each as `name: value`.
    package static func headers(_ headers: HTTPFields) -> [String] {
        policy.redact(headers).map { "\($0.name.rawName): \($0.value)" }
    }

    package static func url(_ url: String) -> String { policy.redact(url: url) }

    /// Returns a text with its secrets hidden if it's JSON or a URL; any other text is returned unchanged.
    package static func text(_ text: String) -> String { policy.redactedText(text) ?? text }

    /// Returns the printed value of a query item, form field, JSON member or header field with that name.
    package static func value(_ value: String, named name: String) -> String {
        policy.isSensitive(anyName: name) || policy.isSensitive(queryName: name) ? hidden : text(value)
    }

    /// Returns the members of an object; those whose names identify secrets are hidden.
    package static func members(_ members: [String: JSONValue]) -> [String: JSONValue] {
        guard case .object(let shown) = JSONValue.object(members).redacted(by: policy) else { return [:] }
        return shown
    }
}
