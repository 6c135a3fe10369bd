internal import HTTPTypes
internal import NetCore

/// What the field `Cache-Status` says of this cache (RFC 9211).
enum CacheStatus {
    static let name = "swift-net"

    /// A stored response was served; `ttl` is how long it would still be fresh, negative once it is stale.
    static func hit(_ freshness: Freshness, _ reason: ActivityEvent.CacheDecision.Reason) -> String {
        "\(name); hit; ttl=\(seconds(freshness.lifetime - freshness.age)); detail=\(reason.rawValue)"
    }

    /// The request went out.
    static func forwarded(
        _ reason: ActivityEvent.CacheDecision.Reason, status: Int, isStored: Bool
    ) -> String {
        let stored = isStored ? "; stored" : ""
        return "\(name); fwd=\(word(reason)); fwd-status=\(status)\(stored); detail=\(reason.rawValue)"
    }

    /// The request was answered by the cache itself.
    static func unavailable(_ reason: ActivityEvent.CacheDecision.Reason) -> String {
        "\(name); detail=\(reason.rawValue)"
    }

    /// The whole seconds below; far ones are cut.
    private static func seconds(_ value: Double) -> Int64 {
        Int64(max(-1e12, min(1e12, value)).rounded(.down))
    }

    /// RFC 9211 section 2.2.
    private static func word(_ reason: ActivityEvent.CacheDecision.Reason) -> String {
        switch reason {
        case .method, .unsafeMethod: "method"
        case .notStored: "uri-miss"
        case .variantMismatch: "vary-miss"
        case .stale, .noCache, .mustRevalidate, .outdated, .refreshInBackground: "stale"
        case .requestNoCache, .requestMaxAge, .requestMinFresh, .conditional: "request"
        case .range: "partial"
        case .policy, .requestNoStore, .requestBody: "bypass"
        default: "miss"
        }
    }
}

extension StreamedResponse {
    /// Adds to the field `Cache-Status`.
    mutating func append(cacheStatus: String) {
        head.fields.append(HTTPField(name: .cacheStatus, value: cacheStatus))
    }
}
