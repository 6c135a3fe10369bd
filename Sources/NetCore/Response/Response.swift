internal import HTTPTypes

/// A decoded response with its head and figures.
public struct Response<Value: Sendable>: Sendable {
    /// The decoded value.
    public var value: Value
    /// Status and fields.
    public var head: ResponseHead
    /// The figures of the last attempt; nil where the transport has none, or while the value still streams.
    public var metrics: TransferMetrics?
    /// Which call this was.
    public var call: CallSummary
    /// The redirects that were followed, in their order, each with its redacted URL. Default none.
    public var history: [Redirect]
    private let target: RequestTarget?

    /// Puts the parts together; `request` is the one that was answered, and ``location`` is resolved against its URL.
    public init(
        value: Value, head: ResponseHead, metrics: TransferMetrics? = nil, call: CallSummary,
        request: PreparedRequest? = nil, history: [Redirect] = []
    ) {
        self.init(
            value: value, head: head, metrics: metrics, call: call,
            target: request.map { RequestTarget($0, trail: nil) }, history: history)
    }

    /// Puts the parts of a call together that may have been led elsewhere.
    package init(
        value: Value, head: ResponseHead, metrics: TransferMetrics? = nil, call: CallSummary, request: PreparedRequest,
        trail: RedirectTrail?
    ) {
        self.init(
            value: value, head: head, metrics: metrics, call: call,
            target: RequestTarget(request, trail: trail), history: trail?.history ?? [])
    }

    private init(
        value: Value, head: ResponseHead, metrics: TransferMetrics?, call: CallSummary, target: RequestTarget?,
        history: [Redirect]
    ) {
        self.value = value
        self.head = head
        self.metrics = metrics
        self.call = call
        self.target = target
        self.history = history
    }

    /// The URL that answered, after all redirects, with the fragment that the last of them had, or else the request's own URL
    /// (RFC 9110 section 10.2.2); nil where it is not known. The URL is not redacted.
    public var url: String? { target.map { target in target.url + (target.fragment.map { "#" + $0 } ?? "") } }

    /// The URL in the field `Location`, resolved against the URL of the request (RFC 9110 section 10.2.2), fragment and all.
    ///
    /// What a URL cannot hold, as blanks and other letters than ASCII's, is percent-encoded, as it is when a redirect is
    /// followed. Nil where there is no such field or there are several that differ, and where it is relative and the request's
    /// URL is not known. The URL is not redacted.
    ///
    ///     let head = ResponseHead(status: .created, fields: [.location: "https://h/users/7"])
    ///     let call = CallSummary(id: CallID(high: 0, low: 0), method: .post, url: "https://h/users")
    ///     print(Response(value: Empty(), head: head, call: call).location ?? "")  // https://h/users/7
    public var location: String? {
        guard let text = RedirectDecision.location(of: head) else { return nil }
        let reference = URLReference(text)
        if let target { return reference.resolved(against: URLReference(target.url)).description }
        return reference.scheme == nil ? nil : text
    }
}

/// Where a request went. Not a text, so that making a response costs nothing for those who never ask. Printing it shows the
/// origin alone: which parts of the rest are secrets the client knows.
private struct RequestTarget: Sendable, CustomStringConvertible, CustomReflectable {
    private let scheme, authority, path: String
    private let led: String?
    private let absoluteURL: String?

    init(_ request: PreparedRequest, trail: RedirectTrail?) {
        let head = trail?.head ?? request.head
        led = trail?.fragment
        absoluteURL = request.options.absoluteURL
        scheme = head.scheme ?? "http"
        authority = head.authority ?? ""
        path = head.path ?? "/"
    }

    /// That of the last redirect that had one, or else of the URL that was asked for.
    var fragment: String? {
        led ?? absoluteURL.flatMap { URLReference($0).fragment }.map { PercentEncoding.encode($0, allowing: .reserved) }
    }
    var url: String { PreparedRequest.url(scheme: scheme, authority: authority, path: path) }
    var description: String { Authority.origin(scheme: scheme, authority: authority) }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The response of a request that answers without content.
public struct Empty: Sendable, Hashable, Codable {
    public init() {}
}
