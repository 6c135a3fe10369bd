internal import HTTPTypes
public import NetCore

/// Sends requests over https to hosts that said they want nothing else (RFC 6797), whatever the URL says.
///
/// Port 80 becomes 443, another port stays. The first visit to a host is not protected unless it is put into the list
/// beforehand. Put it first, so that cookies and credentials see where the request really goes.
///
///     let client = HTTPClient(
///         configuration: .init(baseURL: "https://shop.example", middleware: [HSTSMiddleware(), CookieMiddleware()]))
public struct HSTSMiddleware: Middleware, CallEnding {
    /// The hosts.
    public let store: HSTSStore

    /// Takes a store. Default an empty one of its own.
    public init(_ store: HSTSStore = HSTSStore()) {
        self.store = store
    }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        let clock = context.environment.clock
        var request = request
        var authority = Authority(request.head.authority ?? "")
        var isUpgraded = false
        // A redirect to such a host was led to https already.
        if request.head.scheme?.lowercased() == "http" || context.trail != nil,
            store.wantsHTTPS(authority.host, now: clock.date())
        {
            isUpgraded = request.head.scheme?.lowercased() == "http"
            if isUpgraded {
                request.head.scheme = "https"
                authority.dropPort80()
                request.head.authority = authority.hostAndPort
            }
            // Credentials for its URL of http belong to it.
            request.options.isHostSecured = true
        }
        var response = try await next(request, context)
        // The response says where it came from.
        if isUpgraded { response.trail = RedirectTrail(history: [], head: request.head, fragment: nil) }
        // What was stored is old news: the host may have taken it back.
        if response.head[.strictTransportSecurity] != nil, let target = CookieTarget(request.head),
            let field = (response.news ?? response.head.fields)[values: .strictTransportSecurity].first
        {
            store.receive(field, from: target, now: clock.date())
        }
        return response
    }
}
