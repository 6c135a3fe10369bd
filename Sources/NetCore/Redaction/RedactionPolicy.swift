public import HTTPTypes

/// The names of values that must not be shown. The policy is applied where errors, events, logs and cURL lines are
/// created, so secrets don't reach anything downstream.
///
/// Names of query items, JSON members and form fields are compared without regard to case, `_` and `-`:
/// `access_token` hides `accessToken`. Names that keep their meaning behind any prefix, such as `password`, `token`,
/// `otp` or `pin`, hide longer names too: `userPassword`, `db-password`, `card_pin2`. They don't hide `passenger`,
/// `compass` or `shipping`, nor pagination tokens such as `nextPageToken`.
///
///     var policy = RedactionPolicy.safeDefault
///     policy.queryNames.insert("invitation")
public struct RedactionPolicy: Sendable, Hashable {
    /// The header fields whose values are hidden; stored in lowercase. Header fields whose names end in one of the
    /// ``bodyNames`` that also hide longer names are hidden too: `X-User-Token`.
    public var headerNames: Set<String> {
        didSet { headerNames = Self.lowercased(headerNames) }
    }
    /// The query items whose values are hidden; stored in lowercase. A compound name such as `user[password]` or
    /// `user.password` is hidden if one of its parts is.
    public var queryNames: Set<String> {
        didSet {
            queryNames = Self.lowercased(queryNames)
            foldedQueryNames = Self.folded(queryNames)
        }
    }
    private var foldedQueryNames: Set<String>
    /// The names whose values are hidden in bodies that are shown, captured or recorded: JSON members, XML elements
    /// and attributes, and form fields. Stored in lowercase, without `_` and `-`. Strings that are JSON are searched
    /// too, and strings that are URLs are redacted as URLs.
    public var bodyNames: Set<String> {
        didSet { bodyNames = Self.folded(bodyNames) }
    }
    /// The path segments to hide. Default none, because IDs and secrets look alike in paths.
    public var pathRules: Set<PathRule> = []
    /// The text in place of a hidden value. Default `<redacted>`.
    public var placeholder: String
    /// The key for marks. With a key, each secret is replaced by a text such as `<redacted:3f9a21c4>`, whose mark is
    /// the same for equal secrets; it shows whether a token was repeated or replaced. Default nil: ``placeholder``.
    /// JSON numbers become 0 without a mark.
    ///
    ///     var policy = RedactionPolicy.safeDefault
    ///     policy.markKey = .process
    ///     let shown = ["token=a", "token=b", "access_token=a"].map { policy.redact(url: "https://h/?" + $0) }
    ///     print(shown)  // the marks of the first and the last are equal
    public var markKey: MarkKey?

    /// Creates a policy. With `bodyNames` nil, `queryNames` also apply to bodies.
    public init(
        headerNames: Set<String>, queryNames: Set<String>, bodyNames: Set<String>? = nil,
        placeholder: String = "<redacted>"
    ) {
        self.headerNames = Self.lowercased(headerNames)
        self.queryNames = Self.lowercased(queryNames)
        foldedQueryNames = Self.folded(queryNames)
        self.bodyNames = Self.folded(bodyNames ?? queryNames)
        self.placeholder = placeholder
    }

    /// Hides values whose names usually denote credentials in header fields, queries, forms and JSON.
    public static let safeDefault = RedactionPolicy(
        headerNames: [
            "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token", "api-key",
            "x-csrf-token", "x-csrftoken", "x-xsrf-token", "x-access-token", "x-session-token", "x-vault-token",
            "x-goog-api-key", "x-amz-security-token", "apikey", "private-token", "job-token", "x-client-secret",
            "x-refresh-token", "ocp-apim-subscription-key", "x-functions-key", "x-auth", "x-auth-key", "x-session",
            "x-session-id", "x-ms-authorization-auxiliary", "x-amzn-oidc-data", "x-wsse", "dpop", "cookie2",
            "set-cookie2",
        ],
        queryNames: Set([
            "key", "code", "signature", "sig", "x-amz-signature", "x-amz-credential", "x-goog-signature", "session",
            "sid",
            "phpsessid", "ticket", "awsaccesskeyid", "id_token_hint",
        ]).union(SensitiveName.endings).union(SensitiveName.words),
        bodyNames: Set(["signature", "cookies", "id_token_hint", "userpass", "dbpass"])
            .union(SensitiveName.endings).union(SensitiveName.words))

    /// Hides nothing.
    public static let disabled = RedactionPolicy(headerNames: [], queryNames: [])

    private static func lowercased(_ names: Set<String>) -> Set<String> {
        Set(names.map { $0.lowercased() })
    }

    private static func folded(_ names: Set<String>) -> Set<String> {
        Set(names.map(SensitiveName.folded))
    }

    /// Returns true if the values of a query item are hidden; the name must be decoded.
    func isSensitive(queryName: String) -> Bool {
        Self.parts(of: queryName).contains { SensitiveName.matches($0, foldedQueryNames) }
    }

    /// Returns true if the values of a form field are hidden.
    package func isSensitive(formName: String) -> Bool {
        Self.parts(of: formName).contains { part in
            SensitiveName.matches(part, bodyNames) || SensitiveName.matches(part, foldedQueryNames)
        }
    }

    /// Returns true if values of that name are hidden in a query, a form, JSON or a header field.
    package func isSensitive(anyName name: String) -> Bool {
        isSensitive(formName: name) || headerNames.contains(name.lowercased())
    }

    /// Returns true if the values of a query item are hidden; the name must consist of lowercase letters and digits.
    func isSensitive(word: String) -> Bool { SensitiveName.matches(folded: word, foldedQueryNames) }

    /// Splits names such as `user[password]` and `user.password`, with which query and form encoders denote members.
    private static func parts(of name: String) -> [Substring] {
        // Splits by scalars: a bracket with a combining mark is a single character.
        name.unicodeScalars.split { $0 == "[" || $0 == "]" || $0 == "." }.map { Substring($0) }
    }

    /// Returns true if the values of a JSON member are hidden.
    package func isSensitive(bodyName: String) -> Bool {
        SensitiveName.matches(bodyName, bodyNames)
    }

    /// Returns true if the values of a header field are hidden.
    public func isSensitive(_ name: HTTPField.Name) -> Bool {
        headerNames.contains(name.canonicalName) || SensitiveName.ends(name.canonicalName, in: bodyNames)
    }

    /// Returns the headers with hidden values replaced, including those in URLs, such as in `Location`.
    public func redact(_ headers: HTTPFields) -> HTTPFields {
        var result = HTTPFields()
        for var field in headers {
            if isSensitive(field.name) {
                field.value = hidden(header: field.value, named: field.name.canonicalName)
            } else if Self.fieldsWithURLs.contains(field.name.canonicalName) {
                field.value = redact(url: field.value)
            }
            result.append(field)
        }
        return result
    }

    private static let fieldsWithURLs: Set<String> = ["location", "content-location", "referer", "link", "refresh"]
}
