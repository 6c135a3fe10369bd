internal import HTTPTypes
public import NetCore

/// Sends the cookies that servers have set (RFC 6265bis): only those for the request's host, path and scheme.
///
/// Cookies that the request itself contains come first and replace stored ones of the same name. Redirects are followed
/// outside this middleware, so each hop sends and sets its own cookies. Put it before middleware that responds to
/// requests or repeats them: before caches, authentication and `RetryMiddleware`. Cookies of intermediate responses,
/// such as a 401 or a 503 that leads to another attempt, are stored as well and sent with the next attempt.
///
/// A cache keeps the responses of different users apart by the cookies that are sent: a caller with other cookies gets
/// no response that was stored or is under way for these. If a server also sets cookies that change with each response,
/// such as a tracker's, name those that identify the user, or nothing that is stored is ever found:
///
///     let cookies = CookieMiddleware(identityCookies: ["sid"])
///
///     let client = HTTPClient(baseURL: "https://shop.example") {
///         $0.middleware = [CookieMiddleware(), RetryMiddleware()]
///     }
public struct CookieMiddleware: Middleware {
    /// The cookies, which can be read, changed and saved to a file.
    public let store: CookieStore
    /// The names of the stored cookies that identify the user; nil for all that are sent. A request without any of them
    /// is everyone's, unless it has its own `Cookie` header or other credentials.
    public let identityCookies: Set<String>?

    /// Creates a middleware.
    ///
    /// - Parameters:
    ///   - store: The cookies. Default: a new empty store.
    ///   - identityCookies: The names of the stored cookies that identify the user, such as that of a session. Default
    ///     nil: all that are sent.
    public init(_ store: CookieStore = CookieStore(), identityCookies: Set<String>? = nil) {
        self.store = store
        self.identityCookies = identityCookies
    }

    public var endsWithCall: Bool { true }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        guard let target = CookieTarget(request.head) else { return try await next(request, context) }
        let clock = context.environment.clock
        var request = request
        let exchange = CookieExchange(self, request, for: target, at: clock.date())
        var context = context
        if exchange.addsCookies {
            request.head.headerFields[.cookie] = exchange.field
            for cookie in exchange.stored where isSecret(cookie, context) { context.hide(cookie.value) }
            // If the cookies have changed since the call's identity was determined, they count like those of a request.
            if context.tracksIdentity, request.options.identity == nil, context.includes(exchange.identity) {
                for field in request.head.headerFields[fields: .cookie] { context = context.accounting(for: field) }
            }
        }
        context.hooks.append(exchange)
        let response = try await next(request, context)
        // Cookies of a cached or shared response were stored when it arrived; those of a response created by another
        // middleware weren't.
        if !exchange.hasReceived {
            store.store((response.news ?? response.head.headers)[fields: .setCookie], from: target, now: clock.date())
        }
        return response
    }

    public var identitySource: (any IdentitySource)? { self }
}

extension CookieMiddleware: IdentitySource, LoginSource {
    /// Returns the holder of the cookies that will be sent, if the jar has any for the request.
    public func identity(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity {
        guard let target = CookieTarget(request.head) else { return .everyone }
        return CookieExchange(self, request, for: target, at: context.environment.clock.date()).identity
    }

    /// Returns the jar's login, with the cookies that identify the user for the request's URL. A value that changes in
    /// another cookie doesn't change it.
    package func login(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity {
        guard let login = store.login else { return .everyone }
        let stored = stored(for: request, context)
        return stored.isEmpty ? login : login.union(Self.sent).union(user(stored))
    }

    package func isGone(
        _ began: CallIdentity, of request: PreparedRequest, sending sent: PreparedRequest, context: CallContext
    ) async throws -> Bool {
        let hadCookies = began.contains(Self.sent)
        guard let login = store.login, began.contains(login) else {
            // Another login, or none; whether that matters depends on the cookies.
            return hadCookies || !stored(for: sent, context).isEmpty
        }
        let anonymous = login.union(Self.sent)
        guard identityCookies != nil, hadCookies, began != anonymous else { return false }
        return anonymous.union(user(stored(for: request, context))) != began
    }

    /// A mark of a login whose cookies were sent.
    /// True for a cookie that identifies the user: one that is named, or else one whose name denotes a secret.
    func isSecret(_ cookie: Cookie, _ context: CallContext) -> Bool {
        identityCookies?.contains(cookie.name) ?? context.environment.redaction.isSensitive(anyName: cookie.name)
    }

    private static let sent = CallIdentity.holder(of: "cookies were sent")

    private func stored(for request: PreparedRequest, _ context: CallContext) -> [Cookie] {
        guard let target = CookieTarget(request.head) else { return [] }
        return store.cookies(
            for: target, now: context.environment.clock.date(), except: OwnCookies(request).names)
    }

    /// Returns the holder of the cookies that identify the user; everyone if none is named.
    private func user(_ stored: [Cookie]) -> CallIdentity {
        guard let identityCookies else { return .everyone }
        let field = stored.filter { identityCookies.contains($0.name) }.field
        return field.map { .holder(of: HTTPField(name: .cookie, value: $0)) } ?? .everyone
    }

    /// Returns the holder of stored cookies and of the request's own. Without stored ones, the request's own count like
    /// any other credential in its headers.
    func identity(of stored: [Cookie], after own: OwnCookies) -> CallIdentity {
        guard !stored.isEmpty else { return .everyone }
        let known = identityCookies.map { names in stored.filter { names.contains($0.name) } } ?? stored
        return [known.field, own.text.isEmpty ? nil : own.text].reduce(.everyone) { identity, text in
            text.map { identity.union(.holder(of: HTTPField(name: .cookie, value: $0))) } ?? identity
        }
    }
}
