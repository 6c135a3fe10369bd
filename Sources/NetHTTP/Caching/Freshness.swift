internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The age of a stored response and its freshness lifetime (RFC 9111 section 4.2), in seconds.
struct Freshness: Sendable, Equatable {
    /// The origin of the lifetime.
    enum Source: Sendable { case explicit, heuristic, none }

    let age: Double
    let lifetime: Double
    let source: Source

    var isFresh: Bool { age < lifetime }
    /// The time since the response became stale; zero if it's fresh.
    var staleness: Double { max(0, age - lifetime) }

    /// - Parameter defaultLifetime: Used if the server doesn't specify a lifetime and `Last-Modified` doesn't allow
    ///   an estimate.
    init(of entry: CacheEntry, now: CacheMoment, isShared: Bool, defaultLifetime: Double? = nil) {
        age = Self.age(of: entry, now: now)
        let facts = entry.facts
        if let explicit = Self.explicitLifetime(facts, responseDate: entry.responseDate, isShared: isShared) {
            (lifetime, source) = (explicit, .explicit)
        } else if Self.allowsHeuristics(entry.status.code) || facts.control.isPublic {
            let date = facts.date ?? entry.responseDate
            if let modified = facts.lastModified, modified <= date {
                let since = date.timeIntervalSince(modified)
                (lifetime, source) = (
                    min(since * CacheMiddleware.heuristicFraction, CacheMiddleware.heuristicMaximum.inSeconds),
                    .heuristic
                )
            } else if let defaultLifetime {
                (lifetime, source) = (defaultLifetime, .heuristic)
            } else {
                (lifetime, source) = (0, .none)
            }
        } else {
            (lifetime, source) = (0, .none)
        }
    }

    /// Section 4.2.1; nil if the server doesn't specify a lifetime.
    static func explicitLifetime(_ facts: CacheEntry.Facts, responseDate: Date, isShared: Bool) -> Double? {
        if isShared, let seconds = facts.control.sharedMaxAge { return Double(seconds) }
        if let seconds = facts.control.maxAge { return Double(seconds) }
        return facts.expires.map { max(0, $0.timeIntervalSince(facts.date ?? responseDate)) }
    }

    /// Section 4.2.3.
    static func age(of entry: CacheEntry, now: CacheMoment) -> Double {
        let received = entry.responseDate.timeIntervalSinceReferenceDate
        // `Date` has no fractions, so the arrival is rounded down too.
        let apparent = entry.facts.date.map { max(0, received.rounded(.down) - $0.timeIntervalSinceReferenceDate) } ?? 0
        let corrected = Double(entry.facts.age) + entry.arrival.delay.inSeconds
        return max(apparent, corrected) + entry.arrival.seconds(until: now)
    }

    /// True for a status that may be stored with a heuristic lifetime if the server specifies none (RFC 9110 section
    /// 15.1).
    static func allowsHeuristics(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }
}
