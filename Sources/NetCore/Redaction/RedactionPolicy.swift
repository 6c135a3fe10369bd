public import HTTPTypes

/// The names of values that must not be shown. The policy is applied where errors, events, logs and cURL lines are
/// created, so secrets don't reach anything downstream.
///
/// Names of query items, JSON members and form fields are compared without regard to case, `_` and `-`:
/// `access_token` hides `accessToken`. Names that keep their meaning behind any prefix, such as `password`, `token`,
/// `signature`, `webhook_url`, `otp` or `dsn`, hide longer names and plurals too: `userPassword`, `db-password`,
/// `card_pin2`, `access_tokens`. They don't hide `passenger`, `compass` or `shipping`, nor pagination tokens such as
/// `nextPageToken`, nor numbers of tokens.
///
///     var policy = RedactionPolicy.safeDefault
///     policy.queryNames.insert("invitation")
public struct RedactionPolicy: Sendable, Hashable {
    /// The header fields whose values are hidden; stored in lowercase. Header fields whose names end in one of the
    /// ``bodyNames`` that also hide longer names are hidden too: `X-User-Token`, `X-Hub-Signature-256`. `*-key` stands for
    /// all that end in `-Key`, except those whose keys aren't credentials, such as `Idempotency-Key`.
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

    /// True to hide values that show by themselves that they are secrets, wherever they stand: private keys in PEM, JSON
    /// Web Tokens, user and password in a URL, key IDs of AWS, the token after `Bearer` or `Basic`, tokens with a vendor's
    /// prefix such as `ghp_`, and the addresses of webhooks. Default true.
    public var hidesRecognizedValues = true
    /// The secrets of the call that the policy is used for.
    var values = Values()

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
            "set-cookie2", anyKey,
        ],
        queryNames: Set([
            "key", "code", "signature", "sig", "x-amz-signature", "x-amz-credential", "x-goog-signature", "session",
            "sid",
            "phpsessid", "ticket", "awsaccesskeyid", "id_token_hint",
        ]).union(SensitiveName.endings).union(SensitiveName.words),
        bodyNames: Set(["signature", "cookies", "id_token_hint", "userpass", "dbpass"])
            .union(SensitiveName.endings).union(SensitiveName.words))

    /// Hides nothing.
    public static let disabled: RedactionPolicy = {
        var policy = RedactionPolicy(headerNames: [], queryNames: [])
        policy.hidesRecognizedValues = false
        return policy
    }()

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

    /// Returns true for a number under a name that hides only texts, such as `tokens=500` in a query or form.
    func isCount(_ value: String, named name: String) -> Bool {
        guard !value.isEmpty, value.utf8.allSatisfy({ (48...57).contains($0) }) else { return false }
        return Self.parts(of: name).allSatisfy { part in
            SensitiveName.verdict(part, bodyNames) != .hidden
                && SensitiveName.verdict(part, foldedQueryNames) != .hidden
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

    /// Returns true if the values of a JSON member are hidden, or at least its texts.
    package func isSensitive(bodyName: String) -> Bool {
        SensitiveName.matches(bodyName, bodyNames)
    }

    /// Returns which values of a JSON member or an element of XML are hidden.
    func verdict(bodyName: String) -> SensitiveName.Verdict {
        SensitiveName.verdict(bodyName, bodyNames)
    }

    /// Returns true if the values of a header field are hidden.
    public func isSensitive(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        if headerNames.contains(name) || SensitiveName.ends(name, in: bodyNames) { return true }
        return name.hasSuffix("-key") && headerNames.contains(Self.anyKey) && !Self.isHarmless(key: name)
    }

    /// The entry of ``headerNames`` for each field that ends in `-Key`.
    private static let anyKey = "*-key"

    /// True for a field with a key that isn't a credential, such as `Idempotency-Key`.
    private static func isHarmless(key name: String) -> Bool {
        let words = name.split(separator: "-").dropLast()
        return words.last.map { harmlessKeys.contains(String($0)) } ?? true
    }

    private static let harmlessKeys: Set<String> = [
        "idempotency", "surrogate", "cache", "websocket", "sort", "partition", "object", "public", "routing", "primary",
        "foreign", "message", "deduplication", "translation", "row", "correlation", "trace", "group", "ordering",
        "event",
        "content", "storage", "blob", "ratelimit", "limit", "lock", "shard", "hash", "range", "record", "issue",
        "project",
        "resource", "entity", "feature", "flag", "locale", "index", "search", "next", "previous", "start", "last",
        "first",
        "document", "item", "property",
    ]

    /// Returns the headers with hidden values replaced, including those in URLs, such as in `Location`.
    public func redact(_ headers: HTTPFields) -> HTTPFields {
        guard self != .disabled else { return headers }
        let known = values.secrets?.current
        var result = HTTPFields()
        for var field in headers {
            if isSensitive(field.name) {
                field.value = hidden(header: field.value, named: field.name.canonicalName)
            } else if Self.fieldsWithURLs.contains(field.name.canonicalName) {
                field.value = redact(url: field.value)
            } else {
                field.value = hidingValues(in: field.value, known)
            }
            result.append(field)
        }
        return result
    }

    private static let fieldsWithURLs: Set<String> = ["location", "content-location", "referer", "link", "refresh"]
}
