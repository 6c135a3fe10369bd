internal import HTTPTypes
internal import NetCore

/// What the field `Cache-Status` says of this cache (RFC 9211).
enum CacheStatus {
    static let name = "swift-net"

    /// A stored response was served; `ttl` is how long it would still be fresh, negative once it is stale.
    static func hit(_ freshness: Freshness, _ reason: ActivityEvent.CacheDecision.Reason) -> String {
        "\(name); hit; ttl=\(seconds(freshness.lifetime - freshness.age)); detail=\(reason.rawValue)"
    }

    /// What became of the response to a request that was forwarded.
    enum Outcome: Sendable {
        /// It was stored.
        case stored
        /// It was to be stored, and wasn't.
        case skipped(ActivityEvent.CacheDecision.Reason)
        /// It wasn't meant for the store, or what is stored stayed.
        case kept
    }

    /// The request was forwarded (section 2.2).
    ///
    /// - Parameters:
    ///   - selected: The freshness of the stored response that would have been served; nil for none.
    ///   - status: The status that came; nil if none did.
    static func forwarded(
        _ reason: ActivityEvent.CacheDecision.Reason, _ request: CacheRequest, selected: Freshness?, status: Int?,
        _ outcome: Outcome
    ) -> String {
        var text = "\(name); fwd=\(word(reason, request, selected))"
        if let status { text += "; fwd-status=\(status)" }
        var detail = explains(reason) ? reason : nil
        switch outcome {
        case .stored: text += "; stored"
        case .skipped(let why) where detail == nil && why != reason: detail = why
        case .skipped, .kept: break
        }
        return text + (detail.map { "; detail=\($0.rawValue)" } ?? "")
    }

    /// The request was answered by the cache itself.
    static func unavailable(_ reason: ActivityEvent.CacheDecision.Reason) -> String {
        "\(name); detail=\(reason.rawValue)"
    }

    /// The whole seconds below; far ones are cut.
    private static func seconds(_ value: Double) -> Int64 {
        Int64(max(-1e12, min(1e12, value)).rounded(.down))
    }

    /// Returns true if the reason says more than the word for it.
    private static func explains(_ reason: ActivityEvent.CacheDecision.Reason) -> Bool {
        switch reason {
        case .method, .unsafeMethod, .notStored, .variantMismatch, .stale, .range: false
        default: true
        }
    }

    /// Section 2.2. Only of what is fresh is it the request that forbids to serve it.
    private static func word(
        _ reason: ActivityEvent.CacheDecision.Reason, _ request: CacheRequest, _ selected: Freshness?
    ) -> String {
        switch reason {
        case .method, .unsafeMethod: return "method"
        case .notStored: return "uri-miss"
        case .variantMismatch: return "vary-miss"
        case .policy where request.policy == .noStore: return "bypass"
        case .requestNoStore, .requestBody: return "bypass"
        // Several ranges, or another unit: the store wasn't asked.
        case .range: return request.range == nil && request.headers.contains(.range) ? "bypass" : "partial"
        case .stale, .staleIfError, .noCache, .mustRevalidate, .outdated, .refreshInBackground: return "stale"
        case .requestNoCache, .requestMaxAge, .requestMinFresh, .conditional, .policy:
            return selected.map(\.isFresh) == false ? "stale" : "request"
        default: return "miss"
        }
    }
}

extension StreamedResponse {
    /// Adds to the field `Cache-Status`.
    mutating func append(cacheStatus: String) {
        head.headers.append(HTTPField(name: .cacheStatus, value: cacheStatus))
    }
}
