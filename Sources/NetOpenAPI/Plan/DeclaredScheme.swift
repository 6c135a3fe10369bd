/// A security scheme that the document declares.
struct DeclaredScheme: Sendable {
    enum Kind: Hashable, Sendable {
        case header(String)
        case cookie(String)
        case query(String)
        case basic
        /// A token in `Authorization`, with a hint about its format.
        case bearer(String?)
        /// Another scheme of HTTP authentication.
        case http(String)
        case oauth2([Flow])
        case openIDConnect(String)
        case mutualTLS
        /// A scheme that isn't described well enough to be used.
        case unknown
    }

    /// An OAuth flow.
    struct Flow: Hashable, Sendable {
        struct Scope: Hashable, Sendable {
            var name: String
            var description: String
        }

        /// The name of the flow, as in the document.
        var grant: String
        /// The URLs by their keywords.
        var urls: [String: String]
        var scopes: [Scope]
    }

    var name: String
    var kind: Kind
    var description: String?
    var isDeprecated = false
}

extension OperationPlanner {
    /// Returns the security schemes of the document, in document order.
    func securitySchemes() -> [DeclaredScheme] {
        guard let components = root["components"] else { return [] }
        return read.members(components, "securitySchemes").compactMap { member in
            guard let node = resolved(member.value), node.isObject else { return nil }
            let kind = kind(of: node)
            if kind == .unknown {
                log.warn(
                    "the security scheme '\(member.key)' is not described as one; it is omitted", at: member.value)
            }
            return DeclaredScheme(
                name: member.key, kind: kind, description: read.text(node, "description"),
                isDeprecated: read.flag(node, "deprecated") ?? false)
        }
    }

    private func kind(of node: Node) -> DeclaredScheme.Kind {
        switch read.text(node, "type")?.lowercased() {
        case "oauth2": return .oauth2(flows(of: node))
        case "openidconnect": return .openIDConnect(read.text(node, "openIdConnectUrl") ?? "")
        case "mutualtls": return .mutualTLS
        case "apikey":
            guard let name = read.text(node, "name") else { return .unknown }
            switch read.text(node, "in") {
            case "header": return HTTPToken.isValid(name) ? .header(name) : .unknown
            case "cookie": return .cookie(name)
            case "query": return .query(name)
            default: return .unknown
            }
        case "http":
            switch read.text(node, "scheme")?.lowercased() {
            case nil: return .unknown
            case "basic"?: return .basic
            case "bearer"?: return .bearer(read.text(node, "bearerFormat"))
            case let scheme?: return .http(scheme)
            }
        default: return .unknown
        }
    }

    private static let grants = [
        "authorizationCode", "implicit", "password", "clientCredentials", "deviceAuthorization",
    ]
    private static let flowURLs = ["authorizationUrl", "deviceAuthorizationUrl", "tokenUrl", "refreshUrl"]

    private func flows(of node: Node) -> [DeclaredScheme.Flow] {
        read.members(node, "flows").compactMap { member in
            guard Self.grants.contains(member.key), member.value.isObject else { return nil }
            var urls: [String: String] = [:]
            for key in Self.flowURLs { urls[key] = read.text(member.value, key) }
            let scopes = read.members(member.value, "scopes").filter { !$0.key.hasPrefix("x-") }
            return DeclaredScheme.Flow(
                grant: member.key, urls: urls,
                scopes: scopes.map { DeclaredScheme.Flow.Scope(name: $0.key, description: $0.value.text ?? "") })
        }
    }
}
