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
    /// Query items whose values are hidden; kept lower-cased, compared without `_` and `-`: `access_token` hides
    /// `accessToken`. A name of parts, such as `user[password]` and `user.password`, is hidden when one of them is.
    public var queryNames: Set<String> {
        didSet {
            queryNames = Self.lowercased(queryNames)
            foldedQueryNames = Self.folded(queryNames)
        }
    }
    private var foldedQueryNames: Set<String>
    /// Members of JSON and fields of forms whose values are hidden where bodies are recorded; kept lower-cased, without
    /// `_` and `-`: `accesstoken` hides `access_token` and `accessToken`. A text that is JSON itself is looked into, and one
    /// that is a URL redacted as such.
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
        foldedQueryNames = Self.folded(queryNames)
        self.bodyNames = Self.folded(bodyNames ?? queryNames)
        self.placeholder = placeholder
    }

    /// Hides what usually carries a credential.
    public static let safeDefault = RedactionPolicy(
        fieldNames: [
            "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token", "api-key",
            "x-csrf-token", "x-csrftoken", "x-xsrf-token", "x-access-token", "x-session-token", "x-vault-token",
            "x-goog-api-key", "x-amz-security-token", "apikey", "private-token", "job-token",
        ],
        queryNames: Set([
            "access_token", "refresh_token", "id_token", "auth_token", "session_token", "token", "api_key", "key",
            "access_key", "password", "passwd", "passphrase", "secret", "client_secret", "private_key", "code",
            "signature", "sig", "x-amz-signature", "x-amz-credential", "x-amz-security-token",
        ]).union(credentials),
        bodyNames: Set([
            "access_token", "refresh_token", "id_token", "auth_token", "session_token", "token", "api_key", "password",
            "passwd", "passphrase", "secret", "client_secret", "private_key", "authorization", "signature", "cookie",
        ]).union(credentials))

    /// Of a change of password; of OAuth (RFC 7521, 7636, 8628, 8693) and OpenID Connect; of Amazon's token service.
    private static let credentials: Set<String> = [
        "new_password", "old_password", "current_password", "password_confirmation", "confirm_password",
        "client_assertion", "assertion", "code_verifier", "device_code", "subject_token", "actor_token",
        "id_token_hint", "secret_key", "secret_access_key", "jwt", "csrf_token", "bearer_token",
    ]

    /// Hides nothing.
    public static let disabled = RedactionPolicy(fieldNames: [], queryNames: [])

    private static func lowercased(_ names: Set<String>) -> Set<String> {
        Set(names.map { $0.lowercased() })
    }

    private static func folded(_ names: Set<String>) -> Set<String> {
        Set(names.map(folded))
    }

    private static func folded(_ name: some StringProtocol) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" }
    }

    /// Whether the values of that query item are hidden; the name is decoded.
    func isSensitive(queryName: String) -> Bool {
        Self.parts(of: queryName).contains { foldedQueryNames.contains(Self.folded($0)) }
    }

    /// Whether the values of that field of a form are hidden.
    package func isSensitive(formName: String) -> Bool {
        Self.parts(of: formName).contains { part in
            let name = Self.folded(part)
            return bodyNames.contains(name) || foldedQueryNames.contains(name)
        }
    }

    /// Whether values of that name are hidden in a query, a form, JSON or a field: where one does not say which.
    package func isSensitive(anyName name: String) -> Bool {
        isSensitive(formName: name) || fieldNames.contains(name.lowercased())
    }

    /// Whether the values of a query item are hidden whose name is small letters and digits alone.
    func isSensitive(word: String) -> Bool { foldedQueryNames.contains(word) }

    /// `user[password]` and `user.password` name a member of a value, as encoders of queries and forms write it.
    private static func parts(of name: String) -> [Substring] {
        // By scalars: a bracket with a combining mark is one character.
        name.unicodeScalars.split { $0 == "[" || $0 == "]" || $0 == "." }.map { Substring($0) }
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
