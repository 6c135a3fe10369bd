/// Writes the security schemes of the document, and functions that create credentials for them.
struct SecurityEmitter {
    let context: SwiftContext
    /// The name of the type.
    let name: String

    func emit(_ writer: inout SourceWriter) {
        let schemes = context.model.securitySchemes.filter { $0.kind != .unknown }
        guard !schemes.isEmpty else { return }
        var scope = NameScope(["self", "init", "Type", "Protocol"])
        let access = context.access
        writer.documentation([
            "The security schemes of the document, and credentials for them. The metadata of a request says which it",
            "needs; `AuthMiddleware(schemes: SecurityScheme.providers([…]))` sends them.",
        ])
        writer.block("\(context.typeAccess)enum \(name)") { writer in
            for scheme in schemes {
                document(scheme, &writer)
                let base = SwiftIdentifier.lowerCamel(scheme.name)
                let property = scope.claim(base, base + "Scheme")
                let head = "\(access)static let \(SwiftIdentifier.quoted(property)) = SecurityScheme"
                writer.list(head, [SwiftLiteral.string(scheme.name), kind(scheme.kind)])
                guard let signature = signature(scheme.kind) else { continue }
                writer.documentation(["A credential for `\(DocComment.sentence(scheme.name))`."])
                writer.line("\(access)static func \(SwiftIdentifier.quoted(property))\(signature)")
            }
        }
    }

    private func document(_ scheme: DeclaredScheme, _ writer: inout SourceWriter) {
        let documentation = Documentation(description: scheme.description, isDeprecated: scheme.isDeprecated)
        let extra = [words(scheme)] + (scheme.isDeprecated ? ["- Important: Deprecated."] : [])
        writer.documentation(DocComment.lines(documentation, extra: extra, width: writer.width))
    }

    private func kind(_ kind: DeclaredScheme.Kind) -> String {
        switch kind {
        case .header(let name): ".apiKey(name: \(SwiftLiteral.string(name)), in: .header)"
        case .query(let name): ".apiKey(name: \(SwiftLiteral.string(name)), in: .query)"
        case .cookie(let name): ".apiKey(name: \(SwiftLiteral.string(name)), in: .cookie)"
        case .basic: ".basic"
        case .bearer(let format): ".bearer(format: \(format.map(SwiftLiteral.string) ?? "nil"))"
        case .http(let scheme): ".http(scheme: \(SwiftLiteral.string(scheme)))"
        case .oauth2(let flows): ".oauth2([\(flows.map(flow).joined(separator: ", "))])"
        case .openIDConnect(let url): ".openIDConnect(url: \(SwiftLiteral.string(url)))"
        case .mutualTLS, .unknown: ".mutualTLS"
        }
    }

    private func flow(_ flow: DeclaredScheme.Flow) -> String {
        var arguments = [".\(flow.grant)"]
        for (keyword, label) in [
            ("authorizationUrl", "authorizationURL"), ("deviceAuthorizationUrl", "deviceAuthorizationURL"),
            ("tokenUrl", "tokenURL"), ("refreshUrl", "refreshURL"),
        ] {
            if let url = flow.urls[keyword] { arguments.append("\(label): \(SwiftLiteral.string(url))") }
        }
        var seen: Set<String> = []
        let scopes = flow.scopes.filter { seen.insert($0.name).inserted }.map {
            "\(SwiftLiteral.string($0.name)): \(SwiftLiteral.string($0.description))"
        }
        if !scopes.isEmpty { arguments.append("scopes: [\(scopes.joined(separator: ", "))]") }
        return "OAuthFlow(\(arguments.joined(separator: ", ")))"
    }

    /// Returns the parameters and body of the function for a credential; nil if none can be created from a text.
    private func signature(_ kind: DeclaredScheme.Kind) -> String? {
        switch kind {
        case .header(let field):
            "(_ key: String) throws(NetError) -> Credential { try .apiKey(key, header: \(SwiftLiteral.string(field))) }"
        case .cookie, .query:
            "(_ key: String) throws(NetError) -> Credential { try .apiKey(key) }"
        case .basic:
            "(user: String, password: String) throws(NetError) -> Credential { try .basic(user: user, password: password) }"
        case .bearer, .oauth2, .openIDConnect:
            "(_ token: String) throws(NetError) -> Credential { try .bearer(token) }"
        case .http, .mutualTLS, .unknown: nil
        }
    }

    private func words(_ scheme: DeclaredScheme) -> String {
        let name = "`\(DocComment.sentence(scheme.name))`"
        return switch scheme.kind {
        case .header(let field): "\(name): a key in the header `\(DocComment.sentence(field))`."
        case .cookie(let cookie): "\(name): a key in the cookie `\(DocComment.sentence(cookie))`."
        case .query(let item): "\(name): a key in the query item `\(DocComment.sentence(item))`."
        case .basic: "\(name): a user name and a password."
        case .bearer: "\(name): a bearer token."
        case .http(let scheme): "\(name): HTTP authentication with the scheme `\(DocComment.sentence(scheme))`."
        case .oauth2: "\(name): an access token of OAuth 2."
        case .openIDConnect: "\(name): an access token of OpenID Connect."
        case .mutualTLS, .unknown: "\(name): the certificate of the client."
        }
    }
}
