internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension CacheRequest {
    /// Whether nothing may be sent.
    var isOnlyIfCached: Bool {
        if case .onlyIfCached = policy { return true }
        return control.onlyIfCached
    }

    /// RFC 5861 section 3, by the server's word or the caller's.
    func allowsWhileRevalidating(_ hit: CacheDecision.Hit) -> Bool {
        guard isForRepresentation, !isConditional else { return false }
        let staleness = hit.freshness.staleness
        if let window = hit.entry.facts.control.staleWhileRevalidate, staleness <= Double(window) { return true }
        guard case .staleWhileRevalidate(let window) = policy else { return false }
        return window.map { staleness <= $0.inSeconds } ?? true
    }

    /// RFC 5861 section 4, by the word of the server, the request or the caller.
    func allowsOnError(_ hit: CacheDecision.Hit, _ rules: CacheDecision.Rules) -> Bool {
        let known = hit.entry.facts.control
        guard !hit.entry.mayNeverBeStale(rules), !known.noCache, !hit.entry.isOutdated, !isConditional else {
            return false
        }
        let staleness = hit.freshness.staleness
        if let window = known.staleIfError, staleness <= Double(window) { return true }
        if let window = control.staleIfError, staleness <= Double(window) { return true }
        guard case .staleIfError(let window) = policy else { return false }
        return window.map { staleness <= $0.inSeconds } ?? true
    }

    /// Whether the rest of a part, asked for with `If-Range`, would make it whole (RFC 9111 section 3.4).
    func canComplete(_ entry: CacheEntry) -> Bool {
        guard method == .get, range == nil, !isConditional, !entry.isOutdated, entry.strongTag != nil,
            let place = entry.part?.range, let total = place.total
        else { return false }
        return place.bytes.lowerBound == 0 && place.bytes.upperBound < total && policy != .revalidate
            && !control.noCache && entry.bodyLength == place.bytes.upperBound
    }
}

extension CacheEntry {
    /// When the server made it.
    var date: Date { facts.date ?? responseDate }

    /// Whether it may not be served once it is stale, whoever asks (RFC 9111 section 4.2.4).
    func mayNeverBeStale(_ rules: CacheDecision.Rules) -> Bool {
        let control = facts.control
        return control.mustRevalidate || rules.isShared && (control.proxyRevalidate || control.sharedMaxAge != nil)
    }

    /// RFC 9110 section 13.1.5: a strong tag, or the very same date.
    func meets(ifRange condition: String) -> Bool {
        condition.hasPrefix("\"") ? strongTag == condition : headers[.lastModified] == condition
    }

    /// Whether a request's own condition says that the caller has this (RFC 9111 section 4.3.2).
    func isUnchanged(for request: HTTPFields) -> Bool {
        guard status == .ok else { return false }
        if let tags = request[.ifNoneMatch] {
            guard let eTag = facts.eTag else { return false }
            return EntityTags.list(tags).contains { $0 == "*" || EntityTags.isSame($0, eTag) }
        }
        guard let since = request[.ifModifiedSince].flatMap(CacheDate.date) else { return false }
        return (facts.lastModified ?? date) <= since
    }

    /// Adds what asks the server whether this is still right. The validators go out as they came.
    func validators(in request: inout HTTPFields) {
        if let eTag = facts.eTag { request[.ifNoneMatch] = eTag }
        if let lastModified = headers[.lastModified] { request[.ifModifiedSince] = lastModified }
    }
}
