public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A server's remaining quota, from the headers `RateLimit` and `RateLimit-Policy`
/// (draft-ietf-httpapi-ratelimit-headers) or their older forms.
///
///     let headers: HTTPFields = [
///         "RateLimit": "\"hour\";r=42;t=1800", "RateLimit-Policy": "\"hour\";q=100;w=3600",
///     ]
///     for limit in RateLimit.list(in: headers, now: Date()) {
///         print(limit.name ?? "", limit.remaining ?? 0, limit.limit ?? 0, limit.reset ?? .zero)
///     }
public struct RateLimit: Sendable, Hashable {
    /// The name of the policy; nil in the older forms.
    public var name: String?
    /// The number of requests, or of other units that the server counts, per window.
    public var limit: Int?
    /// The number of units left in this window.
    public var remaining: Int?
    /// The time until the quota is reset, from the arrival of the response.
    public var reset: Duration?
    /// The length of the window.
    public var window: Duration?
    /// The server's opaque key for the clients that the quota applies to.
    public var partition: Bytes?

    /// Creates a quota; all values default to nil, which means unknown.
    public init(
        name: String? = nil, limit: Int? = nil, remaining: Int? = nil, reset: Duration? = nil,
        window: Duration? = nil, partition: Bytes? = nil
    ) {
        self.name = name
        self.limit = limit
        self.remaining = remaining
        self.reset = reset
        self.window = window
        self.partition = partition
    }

    /// True if nothing is left before the reset.
    public var isExhausted: Bool { remaining.map { $0 <= 0 } ?? false }

    /// Returns the quotas of a response in the server's order; empty if there are none.
    ///
    /// Reads the first of these forms that is present: `RateLimit` with `RateLimit-Policy` as structured fields;
    /// `RateLimit` as `limit=100, remaining=5, reset=30`; `RateLimit-Limit`, `-Remaining` and `-Reset`; the same with
    /// `X-`, also as `X-Rate-Limit-…`. Malformed headers are ignored. A reset above 1,000,000,000 is a Unix timestamp,
    /// as some servers send it, and is converted to the time from `now`.
    ///
    /// - Parameters:
    ///   - headers: The headers of the response.
    ///   - now: The current date.
    public static func list(in headers: HTTPFields, now: Date) -> [RateLimit] {
        let structured = RateLimitFields.structured(headers)
        if !structured.isEmpty { return structured }
        return RateLimitFields.older(headers, now: now).map { [$0] } ?? []
    }
}

/// Parses the current and older forms of the headers.
private enum RateLimitFields {
    static func structured(_ headers: HTTPFields) -> [RateLimit] {
        var limits: [RateLimit] = []
        func update(_ member: StructuredField.Member) {
            guard let item = member.item, let name = item.value.string ?? item.value.token else { return }
            let place = limits.firstIndex { $0.name == name } ?? limits.endIndex
            if place == limits.endIndex { limits.append(RateLimit(name: name)) }
            let parameters = item.parameters
            limits[place].limit = count(parameters["q"]?.integer) ?? limits[place].limit
            limits[place].remaining = count(parameters["r"]?.integer) ?? limits[place].remaining
            limits[place].reset = seconds(parameters["t"]?.integer) ?? limits[place].reset
            limits[place].window = seconds(parameters["w"]?.integer) ?? limits[place].window
            limits[place].partition = parameters["pk"]?.byteSequence ?? limits[place].partition
        }
        for field in ["RateLimit", "RateLimit-Policy"] {
            guard let name = HTTPField.Name(field), let list = try? headers.structuredList(name) else { continue }
            list.members.prefix(100).forEach(update)
        }
        return limits.filter { $0.limit != nil || $0.remaining != nil }
    }

    static func older(_ headers: HTTPFields, now: Date) -> RateLimit? {
        if let dictionary = try? headers.structuredDictionary(.rateLimit) {
            func number(_ key: String) -> Int64? { dictionary[key]?.item?.value.integer }
            let limit = RateLimit(
                limit: count(number("limit")), remaining: count(number("remaining")), reset: seconds(number("reset")))
            if limit.remaining != nil || limit.limit != nil { return limit }
        }
        for prefix in ["RateLimit-", "X-RateLimit-", "X-Rate-Limit-"] {
            // The limit may be followed by policies: `100, 100;w=60`.
            func number(_ suffix: String) -> Int64? {
                let text = HTTPField.Name(prefix + suffix).flatMap { headers[$0] } ?? ""
                return Int64(text.prefix { $0 != "," && $0 != ";" }.filter { $0 != " " })
            }
            var reset = number("Reset")
            if let time = reset, time > 1_000_000_000 {
                // Milliseconds if the date would be thousands of years away in seconds.
                let date = Double(time > 100_000_000_000 ? time / 1000 : time)
                reset = Int64(max(0, min(date - now.timeIntervalSince1970, 1e10)).rounded(.up))
            }
            let limit = RateLimit(
                limit: count(number("Limit")), remaining: count(number("Remaining")), reset: seconds(reset))
            if limit.remaining != nil || limit.limit != nil { return limit }
        }
        return nil
    }

    private static func count(_ number: Int64?) -> Int? {
        number.flatMap { $0 >= 0 ? Int(exactly: $0) : nil }
    }

    private static func seconds(_ number: Int64?) -> Duration? {
        number.flatMap { $0 >= 0 && $0 <= 10_000_000_000 ? .seconds($0) : nil }
    }
}
