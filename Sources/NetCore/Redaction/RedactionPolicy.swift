public import HTTPTypes

/// What must not be shown: applied where errors, events, logs and cURL lines are made, so nothing downstream sees it.
///
///     var policy = RedactionPolicy.safeDefault
///     policy.queryNames.insert("session")
public struct RedactionPolicy: Sendable, Hashable {
    /// Fields whose values are hidden; kept lower-cased.
    public var fieldNames: Set<String> {
        didSet { fieldNames = Self.lowercased(fieldNames) }
    }
    /// Query items whose values are hidden; kept lower-cased.
    public var queryNames: Set<String> {
        didSet { queryNames = Self.lowercased(queryNames) }
    }
    /// What stands in a hidden value's place. Default `<redacted>`.
    public var placeholder: String

    /// Makes a policy; names are compared without regard to case.
    public init(fieldNames: Set<String>, queryNames: Set<String>, placeholder: String = "<redacted>") {
        self.fieldNames = Self.lowercased(fieldNames)
        self.queryNames = Self.lowercased(queryNames)
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

    private static func lowercased(_ names: Set<String>) -> Set<String> {
        Set(names.map { $0.lowercased() })
    }

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
}
