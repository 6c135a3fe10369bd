internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension CacheRequest {
    /// True if nothing may be sent.
    var isOnlyIfCached: Bool {
        if case .onlyIfCached = policy { return true }
        return control.onlyIfCached
    }

    /// RFC 5861 section 3, if the server or the caller allows it.
    func allowsWhileRevalidating(_ hit: CacheDecision.Hit) -> Bool {
        guard isForRepresentation, !isConditional else { return false }
        let staleness = hit.freshness.staleness
        if let window = hit.entry.facts.control.staleWhileRevalidate, staleness <= Double(window) { return true }
        guard case .staleWhileRevalidate(let window) = policy else { return false }
        return window.map { staleness <= $0.inSeconds } ?? true
    }

    /// RFC 5861 section 4, if the server, the request or the caller allows it.
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

    /// True if the rest of a stored part, requested with `If-Range`, would complete it (RFC 9111 section 3.4).
    func canComplete(_ entry: CacheEntry) -> Bool {
        guard method == .get, range == nil, !isConditional, !entry.isOutdated, entry.strongTag != nil,
            let place = entry.part?.range, let total = place.total
        else { return false }
        return place.bytes.lowerBound == 0 && place.bytes.upperBound < total && policy != .revalidate
            && !control.noCache && entry.bodyLength == place.bytes.upperBound
    }
}

extension CacheEntry {
    /// The time at which the server created the response.
    var date: Date { facts.date ?? responseDate }

    /// True if the response may not be served stale to any request (RFC 9111 section 4.2.4).
    func mayNeverBeStale(_ rules: CacheDecision.Rules) -> Bool {
        let control = facts.control
        return control.mustRevalidate || rules.isShared && (control.proxyRevalidate || control.sharedMaxAge != nil)
    }

    /// RFC 9110 section 13.1.5: a strong tag, or exactly the same date.
    func meets(ifRange condition: String) -> Bool {
        condition.hasPrefix("\"") ? strongTag == condition : headers[.lastModified] == condition
    }

    /// True if the request's own condition shows that the caller already has this response (RFC 9111 section 4.3.2).
    func isUnchanged(for request: HTTPFields) -> Bool {
        guard status == .ok else { return false }
        if let tags = request[.ifNoneMatch] {
            guard let eTag = facts.eTag else { return false }
            return EntityTags.list(tags).contains { $0 == "*" || EntityTags.isSame($0, eTag) }
        }
        guard let since = request[.ifModifiedSince].flatMap(CacheDate.date) else { return false }
        return (facts.lastModified ?? date) <= since
    }

    /// Adds the conditions that validate this entry with the server. The validators are sent as received.
    func validators(in request: inout HTTPFields) {
        if let eTag = facts.eTag { request[.ifNoneMatch] = eTag }
        if let lastModified = headers[.lastModified] { request[.ifModifiedSince] = lastModified }
    }
}
