public import HTTPTypes

/// One challenge of `WWW-Authenticate` or `Proxy-Authenticate`: how a server wants to be told who asks (RFC 9110 section 11).
///
/// A field may hold several challenges, and there may be several fields; ``HTTPTypes/HTTPFields/challenges(_:)`` reads all of
/// them. Credentials have the same form: ``Authorization/parameters``.
///
///     let fields: HTTPFields = [.wwwAuthenticate: "Negotiate, Basic realm=\"a, b\", charset=\"UTF-8\""]
///     for challenge in fields.challenges() { print(challenge.scheme, challenge.realm ?? "-") }
public struct AuthChallenge: Sendable, Hashable {
    /// The most bytes of one field that are read; of a longer one nothing is.
    public static let maximumBytes = 64 << 10
    /// The most parameters of one challenge; one with more is passed over.
    public static let maximumParameters = 64

    /// The scheme as it came: `Basic`, `Digest`, `Bearer`.
    public let scheme: String
    /// What follows the scheme in place of parameters, as in `Negotiate oYG…==`; nil where there is nothing like it.
    public let token68: String?
    /// The parameters in their order.
    public let parameters: [FieldParameter]

    /// The value of a parameter; nil where there is none.
    public subscript(name: String) -> String? {
        let name = name.lowercased()
        return parameters.first { $0.name == name }?.value
    }

    /// The parameter `realm`: what the credentials are for, in the server's words.
    public var realm: String? { self["realm"] }

    /// Whether the scheme is that one, whatever its case.
    public func isScheme(_ name: String) -> Bool { scheme.lowercased() == name.lowercased() }

    /// A challenge with parameters.
    ///
    /// Throws `.invalidRequest` for a scheme or name that is no token, a name that comes twice, and a value with control
    /// characters.
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

    /// The challenges of one field; see ``HTTPTypes/HTTPFields/challenges(_:)``.
    public static func list(_ text: String) -> [AuthChallenge] {
        var parser = AuthChallengeParser()
        parser.read(text)
        return parser.finish()
    }

    /// The field value.
    ///
    /// Values are written as quoted strings, which every reader knows, but for those that RFC 7616 wants without quotes.
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
    /// The scheme and the realm alone: the same form holds credentials.
    public var description: String { scheme + (realm.map { " realm=\(FieldValueReader.inQuotes($0))" } ?? "") }
    public var customMirror: Mirror { Mirror(self, children: ["scheme": scheme, "realm": realm as Any]) }
}

extension HTTPFields {
    /// All challenges of a field, over all its lines, in their order. Default `WWW-Authenticate`.
    ///
    /// Blanks around `=` and empty members are taken. A challenge that is malformed is passed over, those around it are not:
    /// one with a parameter twice, both a token and parameters, or a quoted string without an end.
    public func challenges(_ name: HTTPField.Name = .wwwAuthenticate) -> [AuthChallenge] {
        var parser = AuthChallengeParser()
        for line in self[values: name] { parser.read(line) }
        return parser.finish()
    }
}

extension Authorization {
    /// The parameters of the credentials, as Digest has them; empty where they are a token or malformed. Secrets.
    public var parameters: [FieldParameter] {
        let list = AuthChallenge.list(value)
        return list.count == 1 ? list[0].parameters : []
    }

    /// Credentials with parameters. Throws as ``AuthChallenge/init(scheme:parameters:)`` does.
    public init(scheme: String, parameters: [FieldParameter]) throws(NetError) {
        let text = try AuthChallenge(scheme: scheme, parameters: parameters).value
        try self.init(scheme: scheme, credentials: String(text.dropFirst(scheme.count + 1)))
    }
}
