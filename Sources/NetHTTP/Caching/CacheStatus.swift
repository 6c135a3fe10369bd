internal import HTTPTypes
internal import NetCore

/// The `Cache-Status` values of this cache (RFC 9211).
enum CacheStatus {
    static let name = "swift-net"

    /// A stored response was served; `ttl` is its remaining freshness, negative if it's stale.
    static func hit(_ freshness: Freshness, _ reason: ActivityEvent.CacheDecision.Reason) -> String {
        "\(name); hit; ttl=\(seconds(freshness.lifetime - freshness.age)); detail=\(reason.rawValue)"
    }

    /// The result of storing the response to a forwarded request.
    enum Outcome: Sendable {
        /// It was stored.
        case stored
        /// The response should have been stored, but wasn't.
        case skipped(ActivityEvent.CacheDecision.Reason, cause: String?)
        /// The response wasn't meant for the store, or the stored response was kept.
        case kept
    }

    /// The request was forwarded (section 2.2).
    ///
    /// - Parameters:
    ///   - selected: The freshness of the stored response that would have been served; nil if there is none.
    ///   - status: The status received; nil if there was no response.
    static func forwarded(
        _ reason: ActivityEvent.CacheDecision.Reason, _ request: CacheRequest, selected: Freshness?, status: Int?,
        _ outcome: Outcome
    ) -> String {
        var text = "\(name); fwd=\(word(reason, request, selected))"
        if let status { text += "; fwd-status=\(status)" }
        var detail = explains(reason) ? reason.rawValue : nil
        switch outcome {
        case .stored: text += "; stored"
        // The name of a header isn't a token in general, but it has no characters that a string must escape.
        case .skipped(let why, let cause?): detail = "\"\(why.rawValue): \(cause)\""
        case .skipped(let why, nil) where detail == nil && why != reason: detail = why.rawValue
        case .skipped, .kept: break
        }
        return text + (detail.map { "; detail=\($0)" } ?? "")
    }

    /// The cache itself created the response.
    static func unavailable(_ reason: ActivityEvent.CacheDecision.Reason) -> String {
        "\(name); detail=\(reason.rawValue)"
    }

    /// Rounds down to whole seconds; clamps extreme values.
    private static func seconds(_ value: Double) -> Int64 {
        Int64(max(-1e12, min(1e12, value)).rounded(.down))
    }

    /// Returns true if the reason provides more detail than the forward reason from RFC 9211.
    private static func explains(_ reason: ActivityEvent.CacheDecision.Reason) -> Bool {
        switch reason {
        case .method, .unsafeMethod, .notStored, .variantMismatch, .stale, .range: false
        default: true
        }
    }

    /// Section 2.2. If the stored response is fresh, it's the request that forbids serving it.
    private static func word(
        _ reason: ActivityEvent.CacheDecision.Reason, _ request: CacheRequest, _ selected: Freshness?
    ) -> String {
        switch reason {
        case .method, .unsafeMethod: return "method"
        case .notStored: return "uri-miss"
        case .variantMismatch: return "vary-miss"
        case .policy where request.policy == .noStore: return "bypass"
        case .requestNoStore, .requestBody: return "bypass"
        // Several ranges, or another unit: the store wasn't consulted.
        case .range: return request.range == nil && request.headers.contains(.range) ? "bypass" : "partial"
        case .stale, .staleIfError, .noCache, .mustRevalidate, .outdated, .refreshInBackground: return "stale"
        case .requestNoCache, .requestMaxAge, .requestMinFresh, .conditional, .policy:
            return selected.map(\.isFresh) == false ? "stale" : "request"
        default: return "miss"
        }
    }
}

extension StreamedResponse {
    /// Adds a value to the `Cache-Status` header.
    mutating func append(cacheStatus: String) {
        head.headers.append(HTTPField(name: .cacheStatus, value: cacheStatus))
    }
}
