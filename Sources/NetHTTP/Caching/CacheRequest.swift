internal import HTTPTypes
internal import NetCore

/// What of a request a cache decides by.
struct CacheRequest: Sendable {
    let method: HTTPRequest.Method
    let headers: HTTPFields
    /// The headers that select among stored responses: ``identity`` stands for the credentials that it is known by.
    let selecting: HTTPFields
    /// The login that asks.
    let identity: CallIdentity
    let control: CacheControl
    let policy: CachePolicy.Mode
    let options: RequestOptions
    let range: RequestedRange?
    let hasBody: Bool
    /// Whether it is served like a `GET` though its method, or its body, says otherwise.
    var onlyReads = false

    /// Reads a request. Its context comes from ``NetCore/CallContext/identified(by:)``.
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

    /// Whether its response is a representation that may be stored.
    var isForRepresentation: Bool { method == .get || onlyReads }

    /// A condition that the caller has set, other than `If-Range`.
    var isConditional: Bool {
        headers.contains(.ifNoneMatch) || headers.contains(.ifModifiedSince) || hasPrecondition
    }

    /// A condition that the server alone can judge.
    var hasPrecondition: Bool { headers.contains(.ifMatch) || headers.contains(.ifUnmodifiedSince) }
}
