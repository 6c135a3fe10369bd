public import NetCore

/// Which origins get a credential: a scheme, a host and a port (RFC 6454). No other ever does, wherever a URL or a redirect
/// leads.
public struct CredentialScope: Sendable, Hashable {
    enum Rule: Hashable {
        case baseURL
        case origins(Set<String>)
        case everywhere
    }

    let rule: Rule

    /// The origin of the client's base URL.
    public static let baseURL = CredentialScope(rule: .baseURL)

    /// These origins: `https://api.example.com`, `http://localhost:8080`. Paths are ignored. Throws `.invalidRequest` for a
    /// text that is no URL.
    public static func origins(_ urls: String...) throws(NetError) -> CredentialScope {
        var origins = Set<String>()
        for url in urls { origins.insert(try BaseURL(url).origin) }
        return CredentialScope(rule: .origins(origins))
    }

    /// Any origin at all, also one that a redirect leads to: for credentials that are worth nothing elsewhere.
    public static let everywhereEvenAfterRedirects = CredentialScope(rule: .everywhere)

    /// Whether a request gets the credential. Throws `.invalidRequest` where the rule is the client's base URL and the client
    /// has none.
    func admits(_ request: PreparedRequest, context: CallContext) throws(NetError) -> Bool {
        // Where the host wants https, a URL of http that names it means this origin.
        let plain = request.options.isHostSecured ? "http" + request.origin.dropFirst(5) : nil
        switch rule {
        case .everywhere: return true
        case .origins(let origins):
            return origins.contains(request.origin) || plain.map { origins.contains($0) } ?? false
        case .baseURL:
            if request.options.sendsCredentialsToOtherOrigins, isOfFirstOrigin(request, context) { return true }
            if let baseURL = context.environment.baseURL {
                return request.isSameOrigin(as: baseURL) || plain == baseURL.origin
            }
            throw context.error(
                .invalidRequest, phase: .middleware,
                message: "the client has no base URL, so the credential's origins must be named in its scope")
        }
    }

    /// Whether no redirect has led to another origin than the call began at.
    private func isOfFirstOrigin(_ request: PreparedRequest, _ context: CallContext) -> Bool {
        guard let first = context.trail?.history.first.map({ URLReference($0.url) }) else { return true }
        return Authority.origin(scheme: first.scheme ?? "", authority: first.authority ?? "") == request.origin
    }
}
