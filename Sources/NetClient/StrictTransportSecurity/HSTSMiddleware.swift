internal import HTTPTypes
public import NetCore

/// Sends requests over https to hosts that require it (RFC 6797), whatever the URL says.
///
/// Port 80 becomes 443; any other port stays. The first visit to a host isn't protected unless the host was inserted
/// into the list beforehand. Put this middleware first, so that cookies and credentials apply to the actual
/// destination.
///
///     let client = HTTPClient(baseURL: "https://shop.example") {
///         $0.middleware = [HSTSMiddleware(), CookieMiddleware()]
///     }
public struct HSTSMiddleware: Middleware {
    /// The hosts that require https.
    public let store: HSTSStore

    /// Creates a middleware.
    ///
    /// - Parameter store: The hosts. Default: a new empty store.
    public init(_ store: HSTSStore = HSTSStore()) {
        self.store = store
    }

    public var endsWithCall: Bool { true }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        let clock = context.environment.clock
        let original = request
        var request = request
        var authority = Authority(request.head.authority ?? "")
        var (context, isUpgraded) = (context, false)
        // A redirect to such a host has already been changed to https.
        if request.head.scheme?.lowercased() == "http" || context.trail != nil,
            store.wantsHTTPS(authority.host, now: clock.date())
        {
            isUpgraded = request.head.scheme?.lowercased() == "http"
            if isUpgraded {
                request.head.scheme = "https"
                authority.dropPort80()
                request.head.authority = authority.hostAndPort
                // Everybody's requests to the host are upgraded.
                context = context.accounting(forURLOf: request, insteadOf: original)
            }
            // Credentials for the host's http URL apply to its https URL too.
            request.options.isHostSecured = true
        }
        var response = try await next(request, context)
        // The response reports the URL that it came from.
        if isUpgraded { response.trail = RedirectTrail(history: [], head: request.head, fragment: nil) }
        // Redirects are followed outside of all middleware, and must not lead to http at a host that requires https.
        if response.head.status.kind == .redirection {
            context.call.secureHosts { [store] in store.wantsHTTPS($0, now: clock.date()) }
        }
        // A stored response's header may be out of date: the host may have withdrawn it since.
        if response.head[.strictTransportSecurity] != nil, let target = CookieTarget(request.head),
            let field = (response.news ?? response.head.headers)[values: .strictTransportSecurity].first
        {
            store.receive(field, from: target, now: clock.date())
        }
        return response
    }
}
