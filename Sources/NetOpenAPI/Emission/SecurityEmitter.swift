/// Writes how to make the credentials that the document's security schemes ask for.
struct SecurityEmitter {
    let context: SwiftContext
    /// The name of the type.
    let name: String

    func emit(_ writer: inout SourceWriter) {
        let schemes = context.model.securitySchemes.filter { $0.kind != .other }
        guard !schemes.isEmpty else { return }
        var scope = NameScope(["self", "init", "Type", "Protocol"])
        writer.documentation([
            "Credentials for the security schemes of the document, for a client's `AuthMiddleware`. The tags",
            "`security:NAME` of a request say which of them it needs.",
        ])
        writer.block("\(context.typeAccess)enum \(name)") { writer in
            for scheme in schemes {
                writer.documentation(
                    DocComment.lines(
                        Documentation(description: scheme.description), extra: [words(scheme)], width: writer.width))
                let method = SwiftIdentifier.quoted(scope.claim(SwiftIdentifier.lowerCamel(scheme.name)))
                writer.line("\(context.access)static func \(method)\(signature(scheme.kind))")
            }
        }
    }

    private func signature(_ kind: SecurityScheme.Kind) -> String {
        switch kind {
        case .header(let field):
            "(_ key: String) throws(NetError) -> Credential { try .apiKey(key, header: \(SwiftLiteral.string(field))) }"
        case .cookie(let cookie):
            "(_ key: String) throws(NetError) -> Credential "
                + "{ try .apiKey(\(SwiftLiteral.string(cookie + "=")) + key, header: \"Cookie\") }"
        case .query(let item):
            "(_ key: String) -> QueryItem { QueryItem(\(SwiftLiteral.string(item)), key) }"
        case .basic:
            "(user: String, password: String) throws(NetError) -> Credential { try .basic(user: user, password: password) }"
        case .bearer, .other:
            "(_ token: String) throws(NetError) -> Credential { try .bearer(token) }"
        }
    }

    private func words(_ scheme: SecurityScheme) -> String {
        let name = "`\(DocComment.sentence(scheme.name))`"
        return switch scheme.kind {
        case .header(let field): "\(name): a key in the field `\(DocComment.sentence(field))`."
        case .cookie(let cookie): "\(name): a key in the cookie `\(DocComment.sentence(cookie))`."
        case .query(let item): "\(name): a key in the query, as `\(DocComment.sentence(item))`; add it to the base URL."
        case .basic: "\(name): a user name and a password."
        case .bearer, .other: "\(name): a bearer token."
        }
    }
}
