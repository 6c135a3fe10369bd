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
    /// Members of JSON and fields of forms whose values are hidden where bodies are recorded; kept lower-cased, without
    /// `_` and `-`: `accesstoken` hides `access_token` and `accessToken`.
    public var bodyNames: Set<String> {
        didSet { bodyNames = Self.folded(bodyNames) }
    }
    /// Segments of paths whose values are hidden. Default none: ids and secrets look alike there.
    public var pathRules: Set<PathRule> = []
    /// What stands in a hidden value's place. Default `<redacted>`.
    public var placeholder: String

    /// Makes a policy; names are compared without regard to case. `bodyNames` nil takes the names of query items.
    public init(
        fieldNames: Set<String>, queryNames: Set<String>, bodyNames: Set<String>? = nil,
        placeholder: String = "<redacted>"
    ) {
        self.fieldNames = Self.lowercased(fieldNames)
        self.queryNames = Self.lowercased(queryNames)
        self.bodyNames = Self.folded(bodyNames ?? queryNames)
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
        ],
        bodyNames: [
            "access_token", "refresh_token", "id_token", "auth_token", "session_token", "token", "api_key", "password",
            "passwd", "passphrase", "secret", "client_secret", "private_key", "authorization", "signature", "cookie",
        ])

    /// Hides nothing.
    public static let disabled = RedactionPolicy(fieldNames: [], queryNames: [])

    private static func lowercased(_ names: Set<String>) -> Set<String> {
        Set(names.map { $0.lowercased() })
    }

    private static func folded(_ names: Set<String>) -> Set<String> {
        Set(names.map(folded))
    }

    private static func folded(_ name: String) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" }
    }

    /// Whether the values of that member of JSON are hidden.
    package func isSensitive(bodyName: String) -> Bool {
        bodyNames.contains(Self.folded(bodyName))
    }

    /// Whether the values of that field are hidden.
    public func isSensitive(_ name: HTTPField.Name) -> Bool {
        fieldNames.contains(name.canonicalName)
    }

    /// The fields with hidden values replaced, those in URLs too, such as in `Location`.
    public func redact(_ fields: HTTPFields) -> HTTPFields {
        var result = HTTPFields()
        for var field in fields {
            if isSensitive(field.name) {
                field.value = placeholder
            } else if Self.fieldsWithURLs.contains(field.name.canonicalName) {
                field.value = redact(url: field.value)
            }
            result.append(field)
        }
        return result
    }

    private static let fieldsWithURLs: Set<String> = ["location", "content-location", "referer", "link", "refresh"]
}
