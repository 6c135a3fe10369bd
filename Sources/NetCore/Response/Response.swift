public import HTTPTypes

/// A decoded response with its head and its metrics.
public struct Response<Value: Sendable>: Sendable {
    /// The decoded value.
    public var value: Value
    /// The status and the headers.
    public var head: ResponseHead
    /// The metrics of the last attempt; nil if the transport has none, or while the value is still streaming.
    public var metrics: TransferMetrics?
    /// The call that this response belongs to.
    public var call: CallSummary
    /// The number of requests that the call sent, including retries, repeats with new credentials, and redirects. 0 if it
    /// sent none: a middleware had the response, such as a cache.
    public var attempts: Int
    /// The redirects that were followed, in order, each with its redacted URL. Default none.
    public var history: [Redirect]
    private let target: RequestTarget?

    /// Creates a response to `request`; ``location`` is resolved against its URL.
    public init(
        value: Value, head: ResponseHead, metrics: TransferMetrics? = nil, call: CallSummary,
        request: PreparedRequest? = nil, history: [Redirect] = []
    ) {
        self.init(
            value: value, head: head, metrics: metrics, call: call, attempts: call.attempt,
            target: request.map { RequestTarget($0, trail: nil) }, history: history)
    }

    /// Creates the response of a call that may have been redirected.
    package init(
        value: Value, head: ResponseHead, metrics: TransferMetrics? = nil, call: CallSummary, attempts: Int,
        request: PreparedRequest, trail: RedirectTrail?
    ) {
        self.init(
            value: value, head: head, metrics: metrics, call: call, attempts: attempts,
            target: RequestTarget(request, trail: trail), history: trail?.history ?? [])
    }

    private init(
        value: Value, head: ResponseHead, metrics: TransferMetrics?, call: CallSummary, attempts: Int,
        target: RequestTarget?, history: [Redirect]
    ) {
        self.value = value
        self.head = head
        self.metrics = metrics
        self.call = call
        self.attempts = attempts
        self.target = target
        self.history = history
    }

    /// The URL of the response, after all redirects, with the fragment of the last redirect that had one, or else of
    /// the request's own URL (RFC 9110 section 10.2.2); nil if it's unknown. The URL isn't redacted.
    public var url: String? { target.map { target in target.url + (target.fragment.map { "#" + $0 } ?? "") } }

    /// The URL in the `Location` header, resolved against the URL of the request (RFC 9110 section 10.2.2), with its
    /// fragment.
    ///
    /// Characters that a URL can't contain, such as blanks and non-ASCII letters, are percent-encoded, as when a
    /// redirect is followed. Nil if the header is absent or occurs with different values, or if it's relative and the
    /// URL of the request is unknown. The URL isn't redacted.
    ///
    ///     let head = ResponseHead(status: .created, headers: [.location: "https://h/users/7"])
    ///     let call = CallSummary(id: CallID(high: 0, low: 0), method: .post, url: "https://h/users")
    ///     print(Response(value: (), head: head, call: call).location ?? "")  // https://h/users/7
    public var location: String? {
        guard let text = RedirectDecision.location(of: head) else { return nil }
        let reference = URLReference(text)
        if let target { return reference.resolved(against: URLReference(target.url)).description }
        return reference.scheme == nil ? nil : text
    }
}

extension Response {
    /// The content coding that the bytes of the value still have, because it isn't supported here: `br` without the trait
    /// `Compression`, for example. Nil if they were decoded, or had none. A value that isn't bytes can't be read then.
    public var undecodedCoding: String? { DecodingFailure.contentCoding(of: head) }
}

extension Response: CustomStringConvertible {
    /// The status line, the request, and the value as it prints itself:
    /// `HTTP/1.1 200 OK (GET https://host/users/7, attempt 1): User(name: "Ann")`.
    ///
    /// Secrets of the call are hidden in it, and values that show by themselves that they are secrets.
    public var description: String { call.hidingValues(in: "\(head) (\(call)): \(value)") }
}

extension Response {
    /// The status of the response.
    public var status: HTTPResponse.Status { head.status }

    /// The headers, in order.
    public var headers: HTTPFields { head.headers }

    /// The value of a header; several values are joined by `, `. Nil if it's absent.
    public subscript(name: HTTPField.Name) -> String? { head[name] }
}

/// The destination of a request. It's not a string, so that creating a response costs nothing if it's never used. Its
/// description shows only the origin, since only the client knows which of the other parts are secret.
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

    /// The fragment of the last redirect that had one, or else of the requested URL.
    var fragment: String? {
        led ?? absoluteURL.flatMap { URLReference($0).fragment }.map { PercentEncoding.encode($0, allowing: .reserved) }
    }
    var url: String { PreparedRequest.url(scheme: scheme, authority: authority, path: path) }
    var description: String { Authority.origin(scheme: scheme, authority: authority) }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
