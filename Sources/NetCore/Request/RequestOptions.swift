/// How one request is sent and judged, beside its path, fields and body.
public struct RequestOptions: Sendable {
    /// A version segment after the base path (`v2`); ignored with `absoluteURL`. Default nil.
    public var apiVersion: String?
    /// Replaces the base URL, version and path; query items are still appended. Default nil.
    ///
    /// When its origin is not that of the client's base URL, of the client's default fields only those are sent that hold no
    /// secret: `Accept…`, `Content-…`, `If-…`, `Range`, `User-Agent` and their like. A redirect is told the same of all fields.
    public var absoluteURL: String?
    /// Takes the place of the client's base URL for this request: version and path are joined to it, and its query comes
    /// first. Ignored with `absoluteURL`, and treated like it where its origin is another. Default nil.
    public var baseURL: BaseURL?
    /// Sends all of the client's default fields to another origin too, credentials among them. Default false.
    public var sendsCredentialsToOtherOrigins: Bool
    /// The time-outs; nil takes the client's. Default nil.
    public var timeouts: Timeouts?
    /// Sent as `Idempotency-Key`; makes any method eligible for a retry. Default nil.
    public var idempotencyKey: String?
    /// What the request says of itself. Default none.
    public var metadata: RequestMetadata
    /// Which status is a success. Default 200 to 299.
    public var validation: StatusValidation
    /// Which failures may be repeated; nil takes the retry middleware's own rule. Default nil.
    public var retry: RetryEligibility?
    /// Which of several waiting requests goes first, where a middleware lets them wait. Default normal.
    public var priority: RequestPriority
    /// Whether redirects are followed; nil takes the client's rule. Default nil.
    public var redirects: RedirectPolicy?
    /// Middleware for this request, inside the client's. Default none.
    public var middleware: [any Middleware]
    /// The largest body that is collected, in bytes. Default 64 MiB. A streamed body has no limit.
    public var maximumResponseBytes: Int
    /// Whether the body is handed out decoded when the server coded it with what the transport understands
    /// (`Content-Encoding`). Default true; false hands out the bytes as they came.
    public var decodesContent: Bool
    /// Whether the transport compares the body with the digests that the response announces; see
    /// ``DigestAlgorithm``. Default false; `ContentDigestMiddleware` sets it.
    public var verifiesDigests: Bool
    /// Who hears how far the bodies have come. Default nobody.
    public var progress: ProgressObserver?
    /// How long a body waits for the server's `100 Continue` before it goes out all the same (RFC 9110 section 10.1.1); a
    /// final answer that comes first spares it. Default nil: nothing is asked, the body follows at once. HTTP/1.1 alone.
    public var expectContinue: Duration?
    /// Hears of each interim response (1xx) before the response, in order, on the transport's thread: it must not block.
    /// Default nil.
    public var onInterimResponse: (@Sendable (ResponseHead) -> Void)?
    /// The redaction rules; nil takes the client's. Default nil.
    public var redaction: RedactionPolicy?

    /// The defaults.
    public init(
        apiVersion: String? = nil, absoluteURL: String? = nil, timeouts: Timeouts? = nil, idempotencyKey: String? = nil,
        metadata: RequestMetadata = .none, validation: StatusValidation = .success, retry: RetryEligibility? = nil,
        redirects: RedirectPolicy? = nil, middleware: [any Middleware] = []
    ) {
        self.apiVersion = apiVersion
        self.absoluteURL = absoluteURL
        self.timeouts = timeouts
        self.idempotencyKey = idempotencyKey
        self.metadata = metadata
        self.validation = validation
        self.retry = retry
        self.redirects = redirects
        self.middleware = middleware
        baseURL = nil
        priority = .normal
        sendsCredentialsToOtherOrigins = false
        maximumResponseBytes = 64 << 20
        decodesContent = true
        verifiesDigests = false
        expectContinue = nil
        onInterimResponse = nil
        redaction = nil
    }
}
