public import HTTPTypes

/// One challenge of `WWW-Authenticate` or `Proxy-Authenticate`: a server's demand for credentials (RFC 9110 section
/// 11).
///
/// A header may contain several challenges, and there may be several headers; ``HTTPTypes/HTTPFields/challenges(_:)``
/// reads all of them. Credentials have the same form: ``NetCore/Authorization/parameters``.
///
///     let headers: HTTPFields = [.wwwAuthenticate: "Negotiate, Basic realm=\"a, b\", charset=\"UTF-8\""]
///     for challenge in headers.challenges() { print(challenge.scheme, challenge.realm ?? "-") }
public struct AuthChallenge: Sendable, Hashable {
    /// The maximum length of a header line in bytes; a longer line is ignored as a whole.
    public static let maximumBytes = 64 << 10
    /// The maximum number of parameters of one challenge; a challenge with more is skipped.
    public static let maximumParameters = 64

    /// The scheme as received: `Basic`, `Digest`, `Bearer`.
    public let scheme: String
    /// The token that follows the scheme in place of parameters, as in `Negotiate oYG…==`; nil if there is none.
    public let token68: String?
    /// The parameters in their original order.
    public let parameters: [FieldParameter]

    /// Returns the value of a parameter, whatever the case of its name; nil if there is none.
    public subscript(name: String) -> String? {
        let name = name.lowercased()
        return parameters.first { $0.name == name }?.value
    }

    /// The parameter `realm`: the server's description of what the credentials are for.
    public var realm: String? { self["realm"] }

    /// Returns true if the scheme has the given name, whatever its case.
    public func isScheme(_ name: String) -> Bool { scheme.lowercased() == name.lowercased() }

    /// Creates a challenge with parameters.
    ///
    /// Throws `.invalidRequest` if the scheme or a name isn't a token, if a name occurs twice, or if a value has
    /// control characters.
    public init(scheme: String, parameters: [FieldParameter] = []) throws(NetError) {
        guard FieldValueReader.isToken(scheme), Set(parameters.map(\.name)).count == parameters.count,
            parameters.allSatisfy({ FieldValueReader.isToken($0.name) && FieldValueReader.canQuote($0.value) })
        else {
            throw NetError(
                .invalidRequest, phase: .preparing,
                message:
                    "a challenge needs a token for its scheme and for each name, each name once, and values without control "
                    + "characters")
        }
        self.init(scheme: scheme, token68: nil, parameters: parameters)
    }

    init(scheme: String, token68: String?, parameters: [FieldParameter]) {
        self.scheme = scheme
        self.token68 = token68
        self.parameters = parameters
    }

    /// Returns the challenges of one header value; see ``HTTPTypes/HTTPFields/challenges(_:)``.
    public static func list(_ text: String) -> [AuthChallenge] {
        var parser = AuthChallengeParser()
        parser.read(text)
        return parser.finish()
    }

    /// The header value.
    ///
    /// Values are written as quoted strings, which every parser understands, except those that RFC 7616 requires
    /// without quotes.
    public var value: String {
        if let token68 { return "\(scheme) \(token68)" }
        let list = parameters.map { "\($0.name)=\(Self.isBare($0) ? $0.value : FieldValueReader.inQuotes($0.value))" }
        return list.isEmpty ? scheme : scheme + " " + list.joined(separator: ", ")
    }

    private static func isBare(_ parameter: FieldParameter) -> Bool {
        ["algorithm", "stale", "userhash", "nc"].contains(parameter.name) && FieldValueReader.isToken(parameter.value)
    }
}

extension AuthChallenge: CustomStringConvertible, CustomReflectable {
    /// Only the scheme and the realm, because the same type also holds credentials.
    public var description: String { scheme + (realm.map { " realm=\(FieldValueReader.inQuotes($0))" } ?? "") }
    public var customMirror: Mirror { Mirror(self, children: ["scheme": scheme, "realm": realm as Any]) }
}

extension HTTPFields {
    /// Returns all challenges of a header, from all its lines, in order.
    ///
    /// Accepts blanks around `=` and empty list members. Skips a malformed challenge but keeps those around it. A
    /// challenge is malformed if it has a parameter twice, both a token and parameters, or a quoted string without an
    /// end.
    ///
    /// - Parameter name: The name of the header. Default `WWW-Authenticate`.
    public func challenges(_ name: HTTPField.Name = .wwwAuthenticate) -> [AuthChallenge] {
        var parser = AuthChallengeParser()
        for line in self[values: name] { parser.read(line) }
        return parser.finish()
    }
}

extension Authorization {
    /// The parameters of the credentials, such as those of Digest; empty if the credentials are a token or malformed.
    /// They are secrets.
    public var parameters: [FieldParameter] {
        let list = AuthChallenge.list(value)
        return list.count == 1 ? list[0].parameters : []
    }

    /// Creates credentials with parameters. Throws like ``AuthChallenge/init(scheme:parameters:)``.
    public init(scheme: String, parameters: [FieldParameter]) throws(NetError) {
        let text = try AuthChallenge(scheme: scheme, parameters: parameters).value
        try self.init(scheme: scheme, credentials: String(text.dropFirst(scheme.count + 1)))
    }
}
