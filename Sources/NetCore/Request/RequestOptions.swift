/// The options for sending and validating one request, besides its path, headers and body.
public struct RequestOptions: Sendable {
    /// The options that most requests don't set.
    private struct Rare: Sendable {
        var apiVersion: String?
        var absoluteURL: String?
        var baseURL: BaseURL?
        var server: OperationServer?
        var timeouts: Timeouts?
        var idempotencyKey: String?
        var deduplicationKey: String?
        var cachePolicy = CachePolicy.default
        var identity: CallIdentity?
        var login: CallLogin?
        var retry: RetryEligibility?
        var retryPolicy: RetryPolicy?
        var retryDecision: (@Sendable (FinishedAttempt) -> RetryChoice)?
        var onRedirect: (@Sendable (ProposedRedirect) -> RedirectChoice)?
        var replacesMiddleware = false
        var redirects: RedirectPolicy?
        var progress: ProgressObserver?
        var expectContinue: Duration?
        var onInterimResponse: (@Sendable (ResponseHead) -> Void)?
        var redaction: RedactionPolicy?
        var altSvc: AltSvcOffer?
        var isHostSecured = false
        var usesOwnConnection = false
        var webSocket: WebSocketOptions?
    }

    /// `@unchecked Sendable`: values change only while a single variable refers to this object.
    private final class RareStorage: @unchecked Sendable, CustomReflectable {
        @exclusivity(unchecked) var values: Rare
        init(_ values: Rare) { self.values = values }
        /// No children, since the URL and the keys may be secrets.
        var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    /// The rarely used options; nil while none of them is set, since options are copied at every step of a request.
    private var rare: RareStorage?

    private mutating func change(_ body: (inout Rare) -> Void) {
        if !isKnownUniquelyReferenced(&rare) { rare = RareStorage(rare?.values ?? Rare()) }
        if let rare { body(&rare.values) }
    }

    /// A version segment after the base path, such as `v2`. Slashes at its ends are dropped. Ignored with
    /// ``absoluteURL``. Default nil.
    public var apiVersion: String? {
        get { rare?.values.apiVersion }
        set { change { $0.apiVersion = newValue } }
    }
    /// Replaces the base URL, version and path; query items are still appended. Default nil.
    ///
    /// If its origin isn't that of the client's base URL, the client's default headers are limited to those that can't
    /// contain a secret: `Accept…`, `Content-…`, `If-…`, `Range`, `User-Agent` and similar ones. On a redirect to
    /// another origin, the same limit applies to all headers.
    public var absoluteURL: String? {
        get { rare?.values.absoluteURL }
        set { change { $0.absoluteURL = newValue } }
    }
    /// Replaces the client's base URL for this request: version and path are joined to it, and its query comes first.
    /// Ignored with ``absoluteURL``. If its origin differs, the same rule for headers applies. Default nil.
    public var baseURL: BaseURL? {
        get { rare?.values.baseURL }
        set { change { $0.baseURL = newValue } }
    }
    /// The server of the operation, if the API description names a separate one. It replaces the client's base URL
    /// unless the client's ``OperationServers`` specify otherwise. Ignored with ``baseURL`` and ``absoluteURL``. If its
    /// origin differs, the same rule for headers applies. Default nil: the client's base URL.
    public var server: OperationServer? {
        get { rare?.values.server }
        set { change { $0.server = newValue } }
    }
    /// True to send all of the client's default headers to another origin too, including credentials. Default false.
    public var sendsCredentialsToOtherOrigins: Bool
    /// The timeouts that differ from the client's; all others are inherited. Default nil: all are inherited.
    public var timeouts: Timeouts? {
        get { rare?.values.timeouts }
        set { change { $0.timeouts = newValue } }
    }
    /// The value of the `Idempotency-Key` header, which makes any method eligible for a retry. Default nil.
    public var idempotencyKey: String? {
        get { rare?.values.idempotencyKey }
        set { change { $0.idempotencyKey = newValue } }
    }
    /// A key that allows requests of any method to share one call if the key and everything else are equal; see
    /// `CoalescingMiddleware`. Default nil: only `GET` and `HEAD` requests share calls.
    public var deduplicationKey: String? {
        get { rare?.values.deduplicationKey }
        set { change { $0.deduplicationKey = newValue } }
    }
    /// The description of the request. Only its trace context is sent. Default none.
    public var metadata: RequestMetadata
    /// The status codes that count as success. Default 200 to 299.
    public var validation: StatusValidation
    /// The rule for whether this request may be retried; nil uses the rule of the retry middleware. Default nil.
    public var retry: RetryEligibility? {
        get { rare?.values.retry }
        set { change { $0.retry = newValue } }
    }
    /// The number of attempts and the waits of this request; nil uses the policy of the retry middleware. Default nil.
    /// Without that middleware, nothing is retried.
    ///
    ///     let options = RequestOptions {
    ///         $0.retryPolicy = RetryPolicy(maximumAttempts: 5, backoff: .linear(.seconds(1)))
    ///     }
    public var retryPolicy: RetryPolicy? {
        get { rare?.values.retryPolicy }
        set { change { $0.retryPolicy = newValue } }
    }
    /// Called with each attempt that has ended, to decide whether another one follows. It must not block. nil uses the
    /// retry middleware's own decision, if it has one. Default nil.
    ///
    /// Called for every response, including those with status 200, and every error. See ``FinishedAttempt``.
    public var retryDecision: (@Sendable (FinishedAttempt) -> RetryChoice)? {
        get { rare?.values.retryDecision }
        set { change { $0.retryDecision = newValue } }
    }
    /// The priority among waiting requests: in `CurlTransport` when all of its transfers are in use, and in a
    /// middleware that limits calls. Default normal.
    public var priority: RequestPriority
    /// The behavior of a cache, if there is one. Default ``CachePolicy/default``.
    public var cachePolicy: CachePolicy {
        get { rare?.values.cachePolicy ?? .default }
        set { change { $0.cachePolicy = newValue } }
    }
    /// The login that the response's data belongs to, for caches and coalescing; nil derives it from the call's
    /// credentials. Default nil. ``CallIdentity/everyone`` marks public data.
    public var identity: CallIdentity? {
        get { rare?.values.identity }
        set { change { $0.identity = newValue } }
    }
    /// The logins that the request must be sent with, if it continues work of an earlier call; nil for those at the
    /// beginning of the call. Default nil.
    package var login: CallLogin? {
        get { rare?.values.login }
        set { change { $0.login = newValue } }
    }
    /// The redirects that are followed; nil uses the client's rule. Default nil.
    public var redirects: RedirectPolicy? {
        get { rare?.values.redirects }
        set { change { $0.redirects = newValue } }
    }
    /// Called before a redirect is followed, to accept or reject it; nil uses the client's function. Default nil. It
    /// must not block.
    public var onRedirect: (@Sendable (ProposedRedirect) -> RedirectChoice)? {
        get { rare?.values.onRedirect }
        set { change { $0.onRedirect = newValue } }
    }
    /// The middleware of this request, which runs inside the client's. Default none.
    public var middleware: [any Middleware]
    /// True if ``middleware`` replaces the client's middleware for this request, instead of running inside it. Default
    /// false.
    ///
    ///     let bare = RequestOptions {
    ///         $0.middleware = [RetryMiddleware()]
    ///         $0.replacesMiddleware = true
    ///     }
    public var replacesMiddleware: Bool {
        get { rare?.values.replacesMiddleware ?? false }
        set { change { $0.replacesMiddleware = newValue } }
    }
    /// The maximum size of a body that is collected, in bytes. Default 64 MiB. A streamed body has no limit.
    public var maximumResponseBytes: Int
    /// True to decode a body whose `Content-Encoding` the transport supports: gzip and deflate with libcurl, and with
    /// the trait `Compression` also br and zstd. Bodies with other codings are returned as received. Default true;
    /// false returns every body as received.
    public var decodesContent: Bool
    /// True if the transport compares the body with the digests that the response announces; see ``DigestAlgorithm``.
    /// Default false; `ContentDigestMiddleware` sets it.
    public var verifiesDigests: Bool
    /// The observer of the progress of the bodies. Default nil.
    public var progress: ProgressObserver? {
        get { rare?.values.progress }
        set { change { $0.progress = newValue } }
    }
    /// The maximum time that a body waits for the server's `100 Continue` before it's sent anyway (RFC 9110 section
    /// 10.1.1). If a final response comes first, the body isn't sent. Default nil: the body is sent immediately.
    /// HTTP/1.1 only.
    public var expectContinue: Duration? {
        get { rare?.values.expectContinue }
        set { change { $0.expectContinue = newValue } }
    }
    /// Called with each interim response (1xx) before the response, in order, on the transport's thread: it must not
    /// block. Default nil.
    public var onInterimResponse: (@Sendable (ResponseHead) -> Void)? {
        get { rare?.values.onInterimResponse }
        set { change { $0.onInterimResponse = newValue } }
    }
    /// The redaction rules; nil uses the client's. Default nil.
    public var redaction: RedactionPolicy? {
        get { rare?.values.redaction }
        set { change { $0.redaction = newValue } }
    }
    /// The options of the WebSocket that the request opens; nil for an HTTP request. Set by a WebSocket client.
    /// Middleware that doesn't apply to opening handshakes, such as a cache, forwards them unchanged.
    public var webSocket: WebSocketOptions? {
        get { rare?.values.webSocket }
        set { change { $0.webSocket = newValue } }
    }
    /// The alternative services that this attempt may use.
    package var altSvc: AltSvcOffer? {
        get { rare?.values.altSvc }
        set { change { $0.altSvc = newValue } }
    }
    /// True to send the request over a connection that no other request uses at the same time: over HTTP/1.1, if a
    /// transport would otherwise share a connection.
    package var usesOwnConnection: Bool {
        get { rare?.values.usesOwnConnection ?? false }
        set { change { $0.usesOwnConnection = newValue } }
    }
    /// True if a list of hosts requires https for the request's host (RFC 6797), so that http and https are one origin.
    package var isHostSecured: Bool {
        get { rare?.values.isHostSecured ?? false }
        set { change { $0.isHostSecured = newValue } }
    }

    /// Creates options with their defaults.
    public init() {
        sendsCredentialsToOtherOrigins = false
        metadata = .none
        validation = .success
        priority = .normal
        middleware = []
        maximumResponseBytes = 64 << 20
        decodesContent = true
        verifiesDigests = false
    }

    /// Creates options; `configure` changes the defaults.
    ///
    ///     let options = RequestOptions {
    ///         $0.timeouts = .total(.seconds(5))
    ///         $0.cachePolicy = .onlyIfCached
    ///     }
    public init(_ configure: (inout RequestOptions) throws -> Void) rethrows {
        self.init()
        try configure(&self)
    }

    /// Creates options. Options without a parameter have their defaults; to set them, use ``init(_:)``.
    public init(
        apiVersion: String? = nil, absoluteURL: String? = nil, timeouts: Timeouts? = nil, idempotencyKey: String? = nil,
        metadata: RequestMetadata = .none, validation: StatusValidation = .success, retry: RetryEligibility? = nil,
        priority: RequestPriority = .normal, cachePolicy: CachePolicy? = nil, redirects: RedirectPolicy? = nil,
        middleware: [any Middleware] = [], maximumResponseBytes: Int = 64 << 20, progress: ProgressObserver? = nil
    ) {
        self.init()
        self.metadata = metadata
        self.validation = validation
        self.priority = priority
        self.middleware = middleware
        self.maximumResponseBytes = maximumResponseBytes
        if apiVersion != nil { self.apiVersion = apiVersion }
        if absoluteURL != nil { self.absoluteURL = absoluteURL }
        if timeouts != nil { self.timeouts = timeouts }
        if idempotencyKey != nil { self.idempotencyKey = idempotencyKey }
        if retry != nil { self.retry = retry }
        if let cachePolicy { self.cachePolicy = cachePolicy }
        if progress != nil { self.progress = progress }
        if redirects != nil { self.redirects = redirects }
    }
}
