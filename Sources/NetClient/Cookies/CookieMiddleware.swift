internal import HTTPTypes
public import NetCore

/// Sends the cookies that servers have set (RFC 6265bis): only those for the request's host, path and scheme.
///
/// Cookies that the request itself contains come first and replace stored ones of the same name. Redirects are followed
/// outside this middleware, so each hop sends and sets its own cookies. Put it before middleware that responds to
/// requests or repeats them: before caches, authentication and `RetryMiddleware`. Cookies of intermediate responses,
/// such as a 401 or a 503 that leads to another attempt, are stored as well and sent with the next attempt.
///
///     let client = HTTPClient(baseURL: "https://shop.example") {
///         $0.middleware = [CookieMiddleware(), RetryMiddleware()]
///     }
public struct CookieMiddleware: Middleware {
    /// The cookies, which can be read, changed and saved to a file.
    public let store: CookieStore

    /// Creates a middleware.
    ///
    /// - Parameter store: The cookies. Default: a new empty store.
    public init(_ store: CookieStore = CookieStore()) {
        self.store = store
    }

    public var endsWithCall: Bool { true }

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
            // The identity already accounts for the request's own cookies.
            if context.tracksIdentity, field != exchange.own, request.options.identity == nil {
                isExpected = context.includes(store.identity)
                for field in request.head.headerFields[fields: .cookie] { context = context.accounting(for: field) }
            }
        }
        context.hooks.append(exchange)
        var response = try await next(request, context)
        if !isExpected { response.isOfOtherIdentity = true }
        // Cookies of a cached or shared response were stored when it arrived; those of a response created by another
        // middleware weren't.
        if !exchange.hasReceived {
            store.store((response.news ?? response.head.headers)[fields: .setCookie], from: target, now: clock.date())
        }
        return response
    }

    public var identitySource: (any IdentitySource)? { self }
}

extension CookieMiddleware: IdentitySource {
    /// Returns the jar's identity if it has cookies for the request. The identity stays the same when the values
    /// change.
    public func identity(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity {
        guard let target = CookieTarget(request.head),
            store.field(for: target, now: context.environment.clock.date(), except: []) != nil
        else { return .everyone }
        return store.identity
    }
}
