internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A cache's decision about a response from the network (RFC 9111 section 3).
enum StoreDecision: Sendable {
    typealias Reason = ActivityEvent.CacheDecision.Reason

    /// The response is stored as this entry once its body is complete.
    case store(CacheEntry)
    /// The response isn't stored; `replaces` is true if it makes the stored responses obsolete.
    case skip(Reason, replaces: Bool)

    /// The time of the exchange, and the other values that an entry is created from.
    struct Circumstances: Sendable {
        var id: CacheEntry.ID
        var key: CacheKey
        var arrival: Arrival
        var rules = CacheDecision.Rules()
        /// True if `Content-Location` is the URL of the request.
        var isOfTarget = false
        /// True if the response sets cookies.
        var setsCookies = false
        /// The part of the request that its identity doesn't cover; nil for none.
        var difference: IdentityDifference?
    }

    static func decide(
        _ request: CacheRequest, head: ResponseHead, _ circumstances: Circumstances
    ) -> StoreDecision {
        let headers = head.headers
        let facts = CacheEntry.Facts(headers)
        let status = head.status.code
        // An error doesn't affect the stored responses, unless it says that the resource is gone.
        let replaces = status < 400 && status != 304 || status == 404 || status == 410
        if let reason = refusal(request, status: status, facts, circumstances) {
            return .skip(reason, replaces: replaces && request.isForRepresentation)
        }
        guard
            let selection = VarySelection(
                vary: VarySelection.names(headers), request: request.selecting, identity: request.identity)
        else { return .skip(.varyAny, replaces: false) }
        var part: CacheEntry.Part?
        if status == 206 {
            guard let text = request.headers[.range], request.range != nil, request.method == .get,
                let field = headers[.contentRange]
            else { return .skip(.range, replaces: false) }
            // The coding applies to the whole representation: a part of it can't be decoded by itself.
            guard headers[.contentEncoding] == nil else { return .skip(.codedRange, replaces: false) }
            part = CacheEntry.Part(range: ContentRange(field), requested: text)
        }
        let coding: CacheEntry.Coding =
            headers[.contentEncoding] == nil || ContentCoding.list(headers[.contentEncoding] ?? "")?.isEmpty != false
            ? .none : request.options.decodesContent ? .decoded : .coded
        var entry = CacheEntry(
            id: circumstances.id, key: circumstances.key, status: head.status,
            headers: StoredFields.kept(headers, facts.control, isShared: circumstances.rules.isShared),
            arrival: circumstances.arrival,
            tags: request.options.metadata.tags, selection: selection, coding: coding, part: part)
        entry.version = head.version
        let isWorthwhile =
            entry.hasValidator || circumstances.rules.defaultLifetime != nil
            || hasExplicitLifetime(facts, circumstances)
        return isWorthwhile ? .store(entry) : .skip(.noFreshness, replaces: replaces)
    }

    private static func hasExplicitLifetime(_ facts: CacheEntry.Facts, _ circumstances: Circumstances) -> Bool {
        Freshness.explicitLifetime(
            facts, responseDate: circumstances.arrival.date, isShared: circumstances.rules.isShared) != nil
    }

    private static func refusal(
        _ request: CacheRequest, status: Int, _ facts: CacheEntry.Facts, _ circumstances: Circumstances
    ) -> Reason? {
        let (control, isShared) = (facts.control, circumstances.rules.isShared)
        guard request.isForRepresentation || isCacheablePost(request, status: status, facts, circumstances) else {
            return .method
        }
        if request.control.noStore { return .requestNoStore }
        if circumstances.difference != nil { return .otherIdentity }
        guard status >= 200, status != 304 else { return .statusNotCacheable }
        if control.mustUnderstand {
            // A cache that understands the status may ignore a `no-store`, which is for caches that don't.
            guard isUnderstood(status) else { return .notUnderstood }
        } else if control.noStore {
            return .noStore
        }
        if isShared {
            if control.isPrivate { return .privateInShared }
            // RFC 9111 section 3.5, for any kind of credential.
            if request.identity != .everyone, !control.allowsSharing { return .authorization }
            let isAllowed = control.isPublic || control.sharedMaxAge != nil
            if circumstances.setsCookies, !isAllowed { return .cookieInShared }
        }
        let isAllowed =
            control.isPublic || !isShared && control.isPrivate || hasExplicitLifetime(facts, circumstances)
            || Freshness.allowsHeuristics(status)
        return isAllowed ? nil : .statusNotCacheable
    }

    /// RFC 9110 section 9.3.3: the response to a POST, with an explicit lifetime and a `Content-Location` of the same
    /// URL.
    private static func isCacheablePost(
        _ request: CacheRequest, status: Int, _ facts: CacheEntry.Facts, _ circumstances: Circumstances
    ) -> Bool {
        request.method == .post && status == 200 && hasExplicitLifetime(facts, circumstances)
            && circumstances.isOfTarget
    }

    /// The final status codes of RFC 9110 that a cache must understand.
    private static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 206, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 406, 410, 411, 413, 414,
            415,
            416, 417, 421, 422, 426, 451, 500, 501, 502, 503, 504, 505:
            true
        default: false
        }
    }
}
