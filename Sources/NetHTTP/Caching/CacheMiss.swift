internal import NetCore

/// A request that may not be sent, and for which the cache has no usable response.
struct CacheMiss {
    private let reason: ActivityEvent.CacheDecision.Reason
    private let request: CacheRequest

    /// `reason` is why the request would otherwise have been sent.
    init(_ reason: ActivityEvent.CacheDecision.Reason, _ request: CacheRequest) {
        (self.reason, self.request) = (reason, request)
    }

    func error(_ context: CallContext) -> NetError {
        context.error(.notCached, phase: .queued, message: "\(found), and nothing was sent because \(rule); \(advice)")
    }

    private var found: String {
        switch reason {
        case .notStored: "nothing is stored for this request"
        case .variantMismatch: "the stored response was selected by other request headers (Vary)"
        case .range: "the stored response lacks bytes that the request asks for"
        case .stale: "the stored response is stale"
        case .method: "the cache doesn't serve \(request.method.rawValue)"
        case .requestBody: "the cache doesn't serve requests with a body"
        case .requestNoStore: "the request's Cache-Control forbids reading the cache (no-store)"
        case .conditional: "only a server can judge the request's condition"
        default: "the stored response may not be served without asking the server first (\(reason.rawValue))"
        }
    }

    private var rule: String {
        switch request.policy {
        case .onlyIfCached(allowsStale: false): "the request's cache policy is .onlyIfCached"
        case .onlyIfCached(allowsStale: true): "the request's cache policy is .offline"
        default: "the request's Cache-Control says only-if-cached"
        }
    }

    /// The policy that would serve the stored response, if one would.
    private var advice: String {
        switch reason {
        case .stale, .noCache, .mustRevalidate, .outdated, .requestMaxAge, .requestMinFresh, .requestNoCache:
            "serve it as it is with the policy .offline, or allow the network with another one"
        default: "allow the network with another policy"
        }
    }
}
