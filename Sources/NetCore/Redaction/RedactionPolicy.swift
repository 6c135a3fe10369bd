public import HTTPTypes

/// Names of values that must not be shown. It's applied where errors, events, logs and cURL lines are made, so nothing
/// downstream sees a secret.
///
/// Query items, members of JSON and fields of forms are compared without regard to case, `_` and `-`: `access_token` hides
/// `accessToken`. Names that mean the same whatever stands before them, such as `password`, `token`, `otp` or `pin`, hide
/// longer ones too: `userPassword`, `db-password`, `card_pin2`; not `passenger`, `compass` or `shipping`, nor tokens that name a
/// page of a list, such as `nextPageToken`.
///
///     var policy = RedactionPolicy.safeDefault
///     policy.queryNames.insert("invitation")
public struct RedactionPolicy: Sendable, Hashable {
    /// Header fields whose values are hidden; kept lower-cased. A field whose name ends in one of ``bodyNames`` that hides longer
    /// names is hidden too: `X-User-Token`.
    public var headerNames: Set<String> {
        didSet { headerNames = Self.lowercased(headerNames) }
    }
    /// Query items whose values are hidden; kept lower-cased. A name of parts, such as `user[password]` and `user.password`, is
    /// hidden if one of them is.
    public var queryNames: Set<String> {
        didSet {
            queryNames = Self.lowercased(queryNames)
            foldedQueryNames = Self.folded(queryNames)
        }
    }
    private var foldedQueryNames: Set<String>
    /// Members of JSON, elements and attributes of XML and fields of forms whose values are hidden where bodies are shown,
    /// captured or recorded; kept lower-cased, without `_` and `-`. A text that is JSON itself is looked into, and one that is a
    /// URL redacted as such.
    public var bodyNames: Set<String> {
        didSet { bodyNames = Self.folded(bodyNames) }
    }
    /// Segments of paths that are hidden. Default none: IDs and secrets look alike there.
    public var pathRules: Set<PathRule> = []
    /// The text in a hidden value's place. Default `<redacted>`.
    public var placeholder: String
    /// Writes `<redacted:3f9a21c4>` in place of each secret, with a mark that is the same for equal secrets: so that one sees
    /// that a token was sent again, or a wrong one. Default nil: ``placeholder``. Numbers of JSON become 0 without a mark.
    ///
    ///     var policy = RedactionPolicy.safeDefault
    ///     policy.markKey = .process
    ///     let shown = ["token=a", "token=b", "access_token=a"].map { policy.redact(url: "https://h/?" + $0) }
    ///     print(shown)  // the marks of the first and the last are equal
    public var markKey: MarkKey?

    /// Creates a policy. If `bodyNames` is nil, the names of query items count for bodies too.
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

    /// Hides values whose names usually stand for a credential, of a header field, a query, a form or JSON.
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

    /// Returns whether the values of that query item are hidden; the name is decoded.
    func isSensitive(queryName: String) -> Bool {
        Self.parts(of: queryName).contains { SensitiveName.matches($0, foldedQueryNames) }
    }

    /// Returns whether the values of that field of a form are hidden.
    package func isSensitive(formName: String) -> Bool {
        Self.parts(of: formName).contains { part in
            SensitiveName.matches(part, bodyNames) || SensitiveName.matches(part, foldedQueryNames)
        }
    }

    /// Returns whether values of that name are hidden in a query, a form, JSON or a header field.
    package func isSensitive(anyName name: String) -> Bool {
        isSensitive(formName: name) || headerNames.contains(name.lowercased())
    }

    /// Returns whether the values of a query item are hidden whose name has only small letters and digits.
    func isSensitive(word: String) -> Bool { SensitiveName.matches(folded: word, foldedQueryNames) }

    /// `user[password]` and `user.password` name a member of a value, as encoders of queries and forms write it.
    private static func parts(of name: String) -> [Substring] {
        // By scalars: a bracket with a combining mark is one character.
        name.unicodeScalars.split { $0 == "[" || $0 == "]" || $0 == "." }.map { Substring($0) }
    }

    /// Returns whether the values of that member of JSON are hidden.
    package func isSensitive(bodyName: String) -> Bool {
        SensitiveName.matches(bodyName, bodyNames)
    }

    /// Returns whether the values of that header field are hidden.
    public func isSensitive(_ name: HTTPField.Name) -> Bool {
        headerNames.contains(name.canonicalName) || SensitiveName.ends(name.canonicalName, in: bodyNames)
    }

    /// The fields with hidden values replaced, those in URLs too, such as in `Location`.
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
