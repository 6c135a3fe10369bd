internal import HTTPTypes
internal import NetCore

/// The properties in which two requests must agree to share a call.
struct RequestFingerprint: Sendable, Hashable {
    private let method: HTTPRequest.Method
    private let url: String
    private let headers: HTTPFields
    private let body: Bytes?
    private let key: String?
    private let delivery: BodyDelivery
    private let timeouts: Timeouts
    private let policy: CachePolicy
    private let redirects: RedirectPolicy?
    private let retryPolicy: RetryPolicy?
    private let decodesContent, verifiesDigests, sendsCredentialsToOtherOrigins: Bool
    /// The client of the call: clients that share a middleware have their own transports.
    private let client: ObjectIdentifier?
    private let identity: CallIdentity

    /// The headers that differ in each request and don't affect the response.
    private static let ignored: [HTTPField.Name] = [.traceParent, .traceState, .baggage]

    /// Creates the fingerprint; nil if the request can't share a call.
    init?(_ request: PreparedRequest, _ context: CallContext) {
        let (head, options) = (request.head, request.options)
        guard options.progress == nil, options.onInterimResponse == nil, options.middleware.isEmpty,
            options.retryDecision == nil, options.onRedirect == nil
        else { return nil }
        switch request.body {
        case .none: body = nil
        case .bytes(let bytes): body = bytes
        case .stream: return nil
        }
        key = options.deduplicationKey
        guard key != nil || (head.method == .get || head.method == .head) && body?.isEmpty != false else { return nil }
        method = head.method
        url = request.url
        var headers = head.headerFields
        for name in Self.ignored { headers[name] = nil }
        self.headers = headers
        delivery = context.delivery
        timeouts = context.timeouts
        policy = options.cachePolicy
        redirects = options.redirects
        retryPolicy = options.retryPolicy
        decodesContent = options.decodesContent
        verifiesDigests = options.verifiesDigests
        sendsCredentialsToOtherOrigins = options.sendsCredentialsToOtherOrigins
        identity = context.knownIdentity(of: request)
        client = context.environment.hub.map { ObjectIdentifier($0) }
    }
}
