internal import HTTPTypes
internal import NetCore

/// The parts of a request that a cache's decision depends on.
struct CacheRequest: Sendable {
    let method: HTTPRequest.Method
    let headers: HTTPFields
    /// The headers that select among stored responses: ``identity`` replaces the credentials that it covers.
    let selecting: HTTPFields
    /// The login that sends the request.
    let identity: CallIdentity
    let control: CacheControl
    let policy: CachePolicy.Mode
    let options: RequestOptions
    let range: RequestedRange?
    let hasBody: Bool
    /// True if the request is served like a `GET` despite its method or its body.
    var onlyReads = false

    /// Creates a request. Its context comes from ``NetCore/CallContext/identified(by:)``.
    init(_ request: PreparedRequest, _ context: CallContext) {
        identity = context.knownIdentity(of: request)
        selecting = context.selecting(request.head.headerFields)
        method = request.head.method
        headers = request.head.headerFields
        options = request.options
        control = CacheControl(headers, isRequest: true)
        policy = options.cachePolicy.mode
        range = headers[.range].flatMap { RequestedRange($0) }
        if case .none = request.body { hasBody = false } else { hasBody = request.bodyLength != 0 }
    }

    /// True if the response is a representation that may be stored.
    var isForRepresentation: Bool { method == .get || onlyReads }

    /// True if the caller has set a condition other than `If-Range`.
    var isConditional: Bool {
        headers.contains(.ifNoneMatch) || headers.contains(.ifModifiedSince) || hasPrecondition
    }

    /// True if there is a condition that only the server can evaluate.
    var hasPrecondition: Bool { headers.contains(.ifMatch) || headers.contains(.ifUnmodifiedSince) }
}
