/// How one request is sent and judged, beside its path, fields and body.
public struct RequestOptions: Sendable {
    /// What most requests leave out.
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
        var retry: RetryEligibility?
        var redirects: RedirectPolicy?
        var progress: ProgressObserver?
        var expectContinue: Duration?
        var onInterimResponse: (@Sendable (ResponseHead) -> Void)?
        var redaction: RedactionPolicy?
        var altSvc: AltSvcOffer?
        var isHostSecured = false
    }

    /// `@unchecked Sendable`: values change only while one variable alone refers to them.
    private final class RareStorage: @unchecked Sendable, CustomReflectable {
        @exclusivity(unchecked) var values: Rare
        init(_ values: Rare) { self.values = values }
        /// No parts: the URL and the keys may be secrets.
        var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    /// nil as long as none is set: options are copied at every step of a request.
    private var rare: RareStorage?

    private mutating func change(_ body: (inout Rare) -> Void) {
        if !isKnownUniquelyReferenced(&rare) { rare = RareStorage(rare?.values ?? Rare()) }
        if let rare { body(&rare.values) }
    }

    /// A version segment after the base path (`v2`), slashes at its ends left out; ignored with `absoluteURL`. Default nil.
    public var apiVersion: String? {
        get { rare?.values.apiVersion }
        set { change { $0.apiVersion = newValue } }
    }
    /// Replaces the base URL, version and path; query items are still appended. Default nil.
    ///
    /// When its origin is not that of the client's base URL, of the client's default fields only those are sent that hold no
    /// secret: `Accept…`, `Content-…`, `If-…`, `Range`, `User-Agent` and their like. A redirect is told the same of all fields.
    public var absoluteURL: String? {
        get { rare?.values.absoluteURL }
        set { change { $0.absoluteURL = newValue } }
    }
    /// Takes the place of the client's base URL for this request: version and path are joined to it, and its query comes
    /// first. Ignored with `absoluteURL`, and treated like it where its origin is another. Default nil.
    public var baseURL: BaseURL? {
        get { rare?.values.baseURL }
        set { change { $0.baseURL = newValue } }
    }
    /// The server of the operation, where a document names another one for it than for the rest. It takes the place of the
    /// client's base URL unless the client's ``OperationServers`` say otherwise. Ignored with ``baseURL`` and ``absoluteURL``, and
    /// treated like them where its origin is another. Default nil: the client's base URL.
    public var server: OperationServer? {
        get { rare?.values.server }
        set { change { $0.server = newValue } }
    }
    /// Sends all of the client's default fields to another origin too, credentials among them. Default false.
    public var sendsCredentialsToOtherOrigins: Bool
    /// The time-outs that differ from the client's: each limit that isn't set here is the client's. Default nil: none differs.
    public var timeouts: Timeouts? {
        get { rare?.values.timeouts }
        set { change { $0.timeouts = newValue } }
    }
    /// Sent as `Idempotency-Key`; makes any method eligible for a retry. Default nil.
    public var idempotencyKey: String? {
        get { rare?.values.idempotencyKey }
        set { change { $0.idempotencyKey = newValue } }
    }
    /// Lets requests of any method share one call where this and all else agrees; see `CoalescingMiddleware`. Default nil: `GET`
    /// and `HEAD` share, others do not.
    public var deduplicationKey: String? {
        get { rare?.values.deduplicationKey }
        set { change { $0.deduplicationKey = newValue } }
    }
    /// What the request says of itself. Default none.
    public var metadata: RequestMetadata
    /// Which status is a success. Default 200 to 299.
    public var validation: StatusValidation
    /// Which failures may be repeated; nil takes the retry middleware's own rule. Default nil.
    public var retry: RetryEligibility? {
        get { rare?.values.retry }
        set { change { $0.retry = newValue } }
    }
    /// Which of several waiting requests goes first, where a middleware lets them wait. Default normal.
    public var priority: RequestPriority
    /// What a cache does for it, where there is one. Default ``CachePolicy/default``.
    public var cachePolicy: CachePolicy {
        get { rare?.values.cachePolicy ?? .default }
        set { change { $0.cachePolicy = newValue } }
    }
    /// The login whose data the response is, for caches and coalescing; nil takes it from the call's credentials. Default
    /// nil. ``CallIdentity/everyone`` marks public data.
    public var identity: CallIdentity? {
        get { rare?.values.identity }
        set { change { $0.identity = newValue } }
    }
    /// Whether redirects are followed; nil takes the client's rule. Default nil.
    public var redirects: RedirectPolicy? {
        get { rare?.values.redirects }
        set { change { $0.redirects = newValue } }
    }
    /// Middleware for this request, inside the client's. Default none.
    public var middleware: [any Middleware]
    /// The largest body that is collected, in bytes. Default 64 MiB. A streamed body has no limit.
    public var maximumResponseBytes: Int
    /// Whether the body is handed out decoded when the server coded it with what the transport understands
    /// (`Content-Encoding`): gzip and deflate with libcurl, under the trait `Compression` br and zstd too. Others come as they
    /// are. Default true; false hands out the bytes as they came.
    public var decodesContent: Bool
    /// Whether the transport compares the body with the digests that the response announces; see
    /// ``DigestAlgorithm``. Default false; `ContentDigestMiddleware` sets it.
    public var verifiesDigests: Bool
    /// Who hears how far the bodies have come. Default nobody.
    public var progress: ProgressObserver? {
        get { rare?.values.progress }
        set { change { $0.progress = newValue } }
    }
    /// How long a body waits for the server's `100 Continue` before it goes out all the same (RFC 9110 section 10.1.1); a
    /// final answer that comes first spares it. Default nil: nothing is asked, the body follows at once. HTTP/1.1 alone.
    public var expectContinue: Duration? {
        get { rare?.values.expectContinue }
        set { change { $0.expectContinue = newValue } }
    }
    /// Hears of each interim response (1xx) before the response, in order, on the transport's thread: it must not block.
    /// Default nil.
    public var onInterimResponse: (@Sendable (ResponseHead) -> Void)? {
        get { rare?.values.onInterimResponse }
        set { change { $0.onInterimResponse = newValue } }
    }
    /// The redaction rules; nil takes the client's. Default nil.
    public var redaction: RedactionPolicy? {
        get { rare?.values.redaction }
        set { change { $0.redaction = newValue } }
    }
    /// The alternatives that this attempt may go to.
    package var altSvc: AltSvcOffer? {
        get { rare?.values.altSvc }
        set { change { $0.altSvc = newValue } }
    }
    /// Whether http to its host means https, as a list of such hosts says (RFC 6797): both are one origin then.
    package var isHostSecured: Bool {
        get { rare?.values.isHostSecured ?? false }
        set { change { $0.isHostSecured = newValue } }
    }

    /// The defaults.
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

    /// Takes some parts; the others have their defaults.
    public init(
        apiVersion: String? = nil, absoluteURL: String? = nil, timeouts: Timeouts? = nil, idempotencyKey: String? = nil,
        metadata: RequestMetadata = .none, validation: StatusValidation = .success, retry: RetryEligibility? = nil,
        redirects: RedirectPolicy? = nil, middleware: [any Middleware] = []
    ) {
        self.init()
        self.metadata = metadata
        self.validation = validation
        self.middleware = middleware
        if apiVersion != nil { self.apiVersion = apiVersion }
        if absoluteURL != nil { self.absoluteURL = absoluteURL }
        if timeouts != nil { self.timeouts = timeouts }
        if idempotencyKey != nil { self.idempotencyKey = idempotencyKey }
        if retry != nil { self.retry = retry }
        if redirects != nil { self.redirects = redirects }
    }
}
