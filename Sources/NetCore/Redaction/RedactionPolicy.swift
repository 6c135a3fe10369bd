public import HTTPTypes

/// What must not be shown: applied where errors, events, logs and cURL lines are made, so nothing downstream sees it.
///
///     var policy = RedactionPolicy.safeDefault
///     policy.queryNames.insert("session")
public struct RedactionPolicy: Sendable, Hashable {
    /// Fields whose values are hidden, lower-cased.
    public var fieldNames: Set<String>
    /// Query items whose values are hidden, lower-cased.
    public var queryNames: Set<String>
    /// What stands in a hidden value's place. Default `<redacted>`.
    public var placeholder: String

    /// Makes a policy; names are compared without regard to case.
    public init(fieldNames: Set<String>, queryNames: Set<String>, placeholder: String = "<redacted>") {
        self.fieldNames = fieldNames
        self.queryNames = queryNames
        self.placeholder = placeholder
    }

    /// Hides what usually carries a credential.
    public static let safeDefault = RedactionPolicy(
        fieldNames: [
            "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token", "api-key",
            "x-csrf-token", "x-amz-security-token",
        ],
        queryNames: [
            "access_token", "refresh_token", "id_token", "token", "api_key", "apikey", "key", "password", "secret",
            "client_secret", "code", "signature", "sig", "x-amz-signature", "x-amz-credential", "x-amz-security-token",
        ])

    /// Hides nothing.
    public static let disabled = RedactionPolicy(fieldNames: [], queryNames: [])

    /// Whether the values of that field are hidden.
    public func isSensitive(_ name: HTTPField.Name) -> Bool {
        fieldNames.contains(name.canonicalName)
    }

    /// The fields with hidden values replaced.
    public func redact(_ fields: HTTPFields) -> HTTPFields {
        var result = HTTPFields()
        for var field in fields {
            if isSensitive(field.name) { field.value = placeholder }
            result.append(field)
        }
        return result
    }

    /// The URL without user and password, with hidden query values replaced.
    public func redact(url: String) -> String {
        guard self != .disabled else { return url }
        var text = url
        if let scheme = Self.endOfScheme(text) {
            let end = text[scheme...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? text.endIndex
            if let at = text[scheme..<end].lastIndex(of: "@") {
                text.replaceSubrange(scheme..<at, with: placeholder)
            }
        }
        guard let mark = text.firstIndex(of: "?") else { return text }
        let fragment = text[mark...].firstIndex(of: "#") ?? text.endIndex
        let items = text[text.index(after: mark)..<fragment].split(separator: "&", omittingEmptySubsequences: false)
        let shown = items.map { item -> String in
            guard let equals = item.firstIndex(of: "=") else { return String(item) }
            let name = PercentEncoding.decode(item[..<equals], plusIsSpace: true).lowercased()
            return queryNames.contains(name) ? "\(item[..<equals])=\(placeholder)" : String(item)
        }
        return text[...mark] + shown.joined(separator: "&") + text[fragment...]
    }

    private static func endOfScheme(_ text: String) -> String.Index? {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        return text.index(colon, offsetBy: 3)
    }
}
