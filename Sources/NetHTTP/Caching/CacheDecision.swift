internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A cache's decision about a request: a function of the request, the responses stored for its URL, and the time (RFC
/// 9111 section 4, RFC 5861, RFC 8246).
enum CacheDecision: Sendable {
    typealias Reason = ActivityEvent.CacheDecision.Reason

    /// The request is sent unchanged, and its response isn't stored.
    case bypass(Reason)
    /// The request is sent unchanged; `fallback` is a stored response that may be served if that fails.
    case forward(Reason, fallback: Hit? = nil)
    /// The stored response is served; if `refreshes` is true, it's also requested anew in the background.
    case serve(Hit, Reason, refreshes: Bool = false)
    /// The caller already has the stored response: a 304 is served.
    case notModified(Hit)
    /// The request is sent with the validators of the stored response; `fallback` is true if that may be served on
    /// failure.
    case validate(Hit, Reason, fallback: Bool)
    /// The missing rest of a stored part is requested.
    case complete(CacheEntry)
    /// Nothing is sent: the response is a 504. The reason is why the request would have been sent.
    case unavailable(Reason)

    /// A stored response that matches, and the requested bytes of its body.
    struct Hit: Sendable {
        var entry: CacheEntry
        /// The requested bytes of the stored body; nil for all of them.
        var slice: Range<Int64>?
        /// The position of the slice in the representation, if a range was requested.
        var contentRange: ContentRange?
        var freshness: Freshness
    }

    /// The cache's settings that affect decisions.
    struct Rules: Sendable {
        var isShared = false
        var defaultLifetime: Double?
    }

    static func decide(
        _ request: CacheRequest, stored: [CacheEntry], now: CacheMoment, rules: Rules = Rules()
    ) -> CacheDecision {
        let decision =
            bypassReason(request).map { .bypass($0) }
            ?? decideAboutStored(request, stored: stored, now: now, rules: rules)
        guard request.isOnlyIfCached else { return decision }
        switch decision {
        case .serve(let hit, let reason, _): return .serve(hit, reason)
        case .notModified, .unavailable: return decision
        case .bypass(let reason), .forward(let reason, _), .validate(_, let reason, _): return .unavailable(reason)
        case .complete: return .unavailable(.range)
        }
    }

    private static func bypassReason(_ request: CacheRequest) -> Reason? {
        if !request.onlyReads {
            guard request.method == .get || request.method == .head else { return .method }
            if request.hasBody { return .requestBody }
        }
        if request.policy == .noStore { return .policy }
        return request.control.noStore ? .requestNoStore : nil
    }

    private static func decideAboutStored(
        _ request: CacheRequest, stored: [CacheEntry], now: CacheMoment, rules: Rules
    ) -> CacheDecision {
        if request.policy == .reload { return .forward(.policy) }
        if request.hasPrecondition { return .forward(.conditional) }
        // Several ranges, or another unit: the response has a different form.
        if request.method == .get, request.range == nil, request.headers.contains(.range) { return .forward(.range) }
        let entries = stored.filter {
            $0.suits(request.options)
                && $0.selection.matches(
                    request.selecting, language: $0.headers[.contentLanguage], identity: request.identity)
                // In a shared cache, a request with credentials gets only responses meant for everyone.
                && (!rules.isShared || request.identity == .everyone || $0.facts.control.allowsSharing)
        }
        guard !entries.isEmpty else { return .forward(stored.isEmpty ? .notStored : .variantMismatch) }
        guard let hit = choose(entries, request, now: now, rules: rules) else {
            if let part = entries.first(where: { request.canComplete($0) }) { return .complete(part) }
            return .forward(.range)
        }
        return judge(hit, request, rules)
    }

    /// Returns the latest match for the request; complete responses take precedence over parts.
    private static func choose(
        _ entries: [CacheEntry], _ request: CacheRequest, now: CacheMoment, rules: Rules
    ) -> Hit? {
        var best: Hit?
        for entry in entries {
            guard let (slice, contentRange) = cut(entry, request) else { continue }
            if let best {
                let (isWhole, bestIsWhole) = (entry.part == nil, best.entry.part == nil)
                guard isWhole == bestIsWhole ? entry.date > best.entry.date : isWhole else { continue }
            }
            let freshness = Freshness(
                of: entry, now: now, isShared: rules.isShared, defaultLifetime: rules.defaultLifetime)
            best = Hit(entry: entry, slice: slice, contentRange: contentRange, freshness: freshness)
        }
        return best
    }

    /// Returns the bytes of an entry that the request wants; nil if the entry doesn't have them.
    private static func cut(_ entry: CacheEntry, _ request: CacheRequest) -> (Range<Int64>?, ContentRange?)? {
        guard request.method == .get, let range = request.range else { return entry.part == nil ? (nil, nil) : nil }
        if let condition = request.headers[.ifRange], !entry.meets(ifRange: condition) { return nil }
        if let part = entry.part {
            // An equal `Range` gets the same part, whatever its headers say.
            if part.requested == request.headers[.range] { return (nil, part.range) }
            guard let place = part.range, let total = place.total, let wanted = range.resolved(total: total),
                place.bytes.lowerBound <= wanted.lowerBound, wanted.upperBound <= place.bytes.upperBound
            else { return nil }
            let start = wanted.lowerBound - place.bytes.lowerBound
            return (start..<(start + wanted.upperBound - wanted.lowerBound), ContentRange(bytes: wanted, total: total))
        }
        guard entry.hasBytesOfRepresentation else { return nil }
        // Ranges apply to successful responses only (RFC 9110 section 14.2).
        guard entry.status == .ok else { return (nil, nil) }
        guard let wanted = range.resolved(total: entry.bodyLength) else { return nil }
        return (wanted, ContentRange(bytes: wanted, total: entry.bodyLength))
    }

    private static func judge(_ hit: Hit, _ request: CacheRequest, _ rules: Rules) -> CacheDecision {
        let (entry, freshness) = (hit.entry, hit.freshness)
        let isImmutable = entry.facts.control.immutable && freshness.isFresh && freshness.source == .explicit
        switch request.policy {
        case .cacheElseLoad, .onlyIfCached(allowsStale: true):
            return served(hit, request, freshness.isFresh ? .fresh : .policy)
        case .revalidate where isImmutable && reasonToValidate(hit, request) == nil:
            return served(hit, request, .immutable)
        case .revalidate:
            return validated(hit, request, .policy, rules)
        default: break
        }
        if let reason = reasonToValidate(hit, request) { return validated(hit, request, reason, rules) }
        if freshness.isFresh { return served(hit, request, .fresh) }
        guard !entry.mayNeverBeStale(rules) else { return validated(hit, request, .mustRevalidate, rules) }
        if let limit = request.control.maxStale, freshness.staleness <= Double(limit) {
            return served(hit, request, .maxStale)
        }
        if request.allowsWhileRevalidating(hit) { return .serve(hit, .staleWhileRevalidate, refreshes: true) }
        return validated(hit, request, .stale, rules)
    }

    /// The reason why even a fresh response must be validated.
    private static func reasonToValidate(_ hit: Hit, _ request: CacheRequest) -> Reason? {
        let (control, wanted) = (hit.entry.facts.control, request.control)
        if hit.entry.isOutdated { return .outdated }
        if control.noCache { return .noCache }
        if wanted.noCache { return .requestNoCache }
        if let limit = wanted.maxAge, limit == 0 || hit.freshness.age > Double(limit) { return .requestMaxAge }
        if let least = wanted.minFresh, hit.freshness.lifetime - hit.freshness.age < Double(least) {
            return .requestMinFresh
        }
        return nil
    }

    /// Serves the stored response, or reports that the caller already has it.
    private static func served(_ hit: Hit, _ request: CacheRequest, _ reason: Reason) -> CacheDecision {
        request.isConditional && hit.entry.isUnchanged(for: request.headers) ? .notModified(hit) : .serve(hit, reason)
    }

    private static func validated(
        _ hit: Hit, _ request: CacheRequest, _ reason: Reason, _ rules: Rules
    ) -> CacheDecision {
        let fallback = request.allowsOnError(hit, rules)
        // The caller's own condition is sent, not the cache's.
        guard hit.entry.hasValidator, !request.isConditional, !request.headers.contains(.ifRange), !request.onlyReads
        else {
            return .forward(reason, fallback: fallback ? hit : nil)
        }
        return .validate(hit, reason, fallback: fallback)
    }
}
