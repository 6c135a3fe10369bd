public import NetCore

/// The origins that a credential is sent to: scheme, host and port (RFC 6454 section 4). The credential isn't sent to
/// any other origin, even if a URL or a redirect leads there.
public struct CredentialScope: Sendable, Hashable {
    enum Rule: Hashable {
        case baseURL
        case origins(Set<String>)
        case everywhere
    }

    let rule: Rule

    /// The origin of the client's base URL.
    public static let baseURL = CredentialScope(rule: .baseURL)

    /// Returns a scope with the origins of URLs such as `https://api.example.com`; paths are ignored. Throws
    /// `.invalidRequest` if a text isn't a URL.
    public static func origins(_ urls: String...) throws(NetError) -> CredentialScope {
        var origins = Set<String>()
        for url in urls { origins.insert(try BaseURL(url).origin) }
        return CredentialScope(rule: .origins(origins))
    }

    /// Any origin, including those that redirects lead to: for credentials that no other server accepts.
    public static let everywhereEvenAfterRedirects = CredentialScope(rule: .everywhere)

    /// Returns true if a request gets the credential. Throws `.invalidRequest` if the scope is the client's base URL
    /// and the client has none.
    func admits(_ request: PreparedRequest, context: CallContext) throws(NetError) -> Bool {
        // If HSTS changed the request's scheme to https, an origin given with http means this one, too.
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

    /// Returns true if the request's origin is the origin at which the call began.
    private func isOfFirstOrigin(_ request: PreparedRequest, _ context: CallContext) -> Bool {
        guard let first = context.trail?.history.first.map({ URLReference($0.url) }) else { return true }
        return Authority.origin(scheme: first.scheme ?? "", authority: first.authority ?? "") == request.origin
    }
}
