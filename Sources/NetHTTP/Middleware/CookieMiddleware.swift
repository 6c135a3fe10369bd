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
public struct CookieMiddleware: Middleware {
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
        if let field = exchange.field { request.head.headerFields[.cookie] = field }
        var context = context
        context.hooks.append(exchange)
        let response = try await next(request, context)
        // What was cached or is shared was stored when it came; what another middleware answers itself was not.
        if !exchange.hasReceived {
            store.store((response.news ?? response.head.fields)[fields: .setCookie], from: target, now: clock.date())
        }
        return response
    }
}
