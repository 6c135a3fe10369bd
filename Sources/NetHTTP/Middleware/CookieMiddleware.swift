internal import HTTPTypes
public import NetCore

/// Sends the cookies that servers set (RFC 6265bis): those of the request's host, path and scheme, and no others.
///
/// Cookies that the request brings itself go first, and one of the same name from the store is left out. Redirects are
/// followed outside of this, so that each hop sets and gets its own. Put it before what answers or repeats requests itself:
/// before caches, authentication and ``RetryMiddleware``.
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
        let own = request.head.headerFields[.cookie] ?? ""
        if let field = store.field(for: target, now: clock.date(), except: Self.names(in: own)) {
            request.head.headerFields[.cookie] = own.isEmpty ? field : own + "; " + field
        }
        let response = try await next(request, context)
        if let news = response.news {
            store.store(news[fields: .setCookie], from: target, now: clock.date())
        } else if response.head[.setCookie] != nil {
            store.store(response.head.fields[fields: .setCookie], from: target, now: clock.date())
        }
        return response
    }

    private static func names(in field: String) -> Set<String> {
        guard !field.isEmpty else { return [] }
        let pairs = field.utf8.split(separator: UInt8(ascii: ";")).compactMap { SetCookie(bytes: Array($0)) }
        return Set(pairs.map(\.name))
    }
}
