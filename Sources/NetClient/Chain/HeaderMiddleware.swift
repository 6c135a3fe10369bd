public import HTTPTypes
public import NetCore

/// Adds one of the headers that most programs send: a request ID, a user agent, caching directives, or the accepted
/// types.
///
///     let client = HTTPClient(baseURL: "https://api.example.com") {
///         $0.middleware = [
///             RetryMiddleware(), HeaderMiddleware.requestID(),
///             HeaderMiddleware.userAgent(app: "Shop", version: "2.1"),
///             HeaderMiddleware.cacheControl("no-cache"),
///         ]
///     }
///
/// A header that never changes can also be one of the client's `headers`. Those go only to the client's own origin if
/// they may contain secrets, and a request's own header replaces them.
public struct HeaderMiddleware: Middleware {
    private enum Value: Sendable {
        case callID
        case text(String)
    }

    private let field: HTTPField.Name
    private let value: Value
    /// True if the request's own header is replaced.
    private let replaces: Bool
    /// True if only requests with a body get the header.
    private let isOfBody: Bool

    private init(_ field: HTTPField.Name, _ value: Value, replaces: Bool, isOfBody: Bool = false) {
        self.field = field
        self.value = value
        self.replaces = replaces
        self.isOfBody = isOfBody
    }

    /// Adds the ID of the call, a version 7 UUID, which log lines and events also contain. It is the same for all
    /// attempts and redirects of a call. A request that already has the header keeps it.
    ///
    /// - Parameter field: The name of the header. Default `X-Request-ID`.
    public static func requestID(_ field: HTTPField.Name = "X-Request-ID") -> HeaderMiddleware {
        HeaderMiddleware(field, .callID, replaces: false)
    }

    /// Sends a `User-Agent` that names the app, its version and the platform, instead of the client's; see
    /// ``UserAgent``.
    public static func userAgent(app: String, version: String) -> HeaderMiddleware {
        HeaderMiddleware(.userAgent, .text(UserAgent(app: app, version: version).description), replaces: true)
    }

    /// Sends `Cache-Control` directives, such as `no-cache`, `no-store` or `max-age=60`, instead of the request's.
    public static func cacheControl(_ directives: String) -> HeaderMiddleware {
        HeaderMiddleware(.cacheControl, .text(directives), replaces: true)
    }

    /// Sends an `Accept` header instead of the one that the request's response type implies.
    public static func accept(_ types: String) -> HeaderMiddleware {
        HeaderMiddleware(.accept, .text(types), replaces: true)
    }

    /// Sends a `Content-Type` with each body that doesn't have one, such as a stream of bytes.
    public static func contentType(_ type: String) -> HeaderMiddleware {
        HeaderMiddleware(.contentType, .text(type), replaces: false, isOfBody: true)
    }

    public var endsWithCall: Bool { true }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        guard replaces || request.head.headerFields[field] == nil else { return try await next(request, context) }
        if isOfBody, case .none = request.body { return try await next(request, context) }
        let text =
            switch value {
            case .callID: context.id.description
            case .text(let text): text
            }
        guard HTTPField.isValidValue(text) else {
            throw context.error(
                .invalidRequest, phase: .preparing,
                message: "the value of \(field.rawName) contains a control character or surrounding blanks")
        }
        var request = request
        request.head.headerFields[field] = text
        // A header with another name than the usual one doesn't identify a user either.
        return try await next(request, context.accounting(for: HTTPField(name: field, value: text)))
    }
}

extension HeaderMiddleware: CustomReflectable {
    /// The name of the header, without its value.
    public var customMirror: Mirror { Mirror(self, children: ["field": field.rawName], displayStyle: .struct) }
}
