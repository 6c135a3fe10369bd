/// A security scheme that the document declares.
struct SecurityScheme: Sendable {
    enum Kind: Hashable, Sendable {
        /// A key in a header, a cookie or the query.
        case header(String)
        case cookie(String)
        case query(String)
        case basic
        /// A token in `Authorization`: bearer, OAuth 2, OpenID Connect.
        case bearer
        /// A scheme for which no credential is generated: mutual TLS, other HTTP schemes.
        case other
    }

    var name: String
    var kind: Kind
    var description: String?
}

extension OperationPlanner {
    /// Returns the security schemes of the document, in document order.
    func securitySchemes() -> [SecurityScheme] {
        guard let components = root["components"] else { return [] }
        return read.members(components, "securitySchemes").compactMap { member in
            guard let node = resolved(member.value), node.isObject else { return nil }
            let kind = kind(of: node)
            if kind == .other {
                log.note("no credential is made for the security scheme '\(member.key)'", at: member.value)
            }
            return SecurityScheme(name: member.key, kind: kind, description: read.text(node, "description"))
        }
    }

    private func kind(of node: Node) -> SecurityScheme.Kind {
        switch read.text(node, "type")?.lowercased() {
        case "oauth2", "openidconnect": return .bearer
        case "apikey":
            guard let name = read.text(node, "name") else { return .other }
            switch read.text(node, "in") {
            case "header": return HTTPToken.isValid(name) ? .header(name) : .other
            case "cookie": return .cookie(name)
            case "query": return .query(name)
            default: return .other
            }
        case "http":
            switch read.text(node, "scheme")?.lowercased() {
            case "basic": return .basic
            case "bearer": return .bearer
            default: return .other
            }
        default: return .other
        }
    }
}
