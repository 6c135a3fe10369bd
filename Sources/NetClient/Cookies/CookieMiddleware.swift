internal import HTTPTypes
public import NetCore

/// Sends the cookies that servers set (RFC 6265bis): those of the request's host, path and scheme, and no others.
///
/// Cookies that the request brings itself go first, and one of the same name from the store is left out. Redirects are
/// followed outside of this, so that each hop sets and gets its own. Put it before what answers or repeats requests itself:
/// before caches, authentication and ``RetryMiddleware``. What an answer sets that is not the last one, a 401 or a 503 that is
/// sent again after, counts as well, and goes out with the next attempt.
///
///     let client = HTTPClient(
///         configuration: .init(baseURL: "https://shop.example", middleware: [CookieMiddleware(), RetryMiddleware()]))
public struct CookieMiddleware: Middleware, CallEnding {
    /// Where the cookies are: read it, change it, keep it in a file.
    public let store: CookieStore

    /// Takes a store. Default an empty one of its own.
    public init(_ store: CookieStore = CookieStore()) {
        self.store = store
    }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        guard let target = CookieTarget(request.head) else { return try await next(request, context) }
        let clock = context.environment.clock
        var request = request
        let exchange = CookieExchange(
            store, own: request.head.headerFields[.cookie] ?? "", for: target, at: clock.date())
        var context = context
        var isExpected = true
        if let field = exchange.field {
            request.head.headerFields[.cookie] = field
            // Cookies that the request brings count by themselves.
            if context.tracksIdentity, field != exchange.own, request.options.identity == nil {
                isExpected = context.includes(store.identity)
                for field in request.head.headerFields[fields: .cookie] { context = context.accounting(for: field) }
            }
        }
        context.hooks.append(exchange)
        var response = try await next(request, context)
        if !isExpected { response.isOfOtherIdentity = true }
        // What was cached or is shared was stored when it came; what another middleware answers itself was not.
        if !exchange.hasReceived {
            store.store((response.news ?? response.head.fields)[fields: .setCookie], from: target, now: clock.date())
        }
        return response
    }

    public var identitySource: (any IdentitySource)? { self }
}

extension CookieMiddleware: IdentitySource {
    /// The jar's, if it has cookies for the request: their values may change, and the identity doesn't.
    public func identity(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity {
        guard let target = CookieTarget(request.head),
            store.field(for: target, now: context.environment.clock.date(), except: []) != nil
        else { return .everyone }
        return store.identity
    }
}
