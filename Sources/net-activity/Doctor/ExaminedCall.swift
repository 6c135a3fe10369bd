#if Tools
internal import NetCore
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What the rules look at of a call: everything but its bodies, and of its headers those that a rule asks for.
struct ExaminedCall {
    /// The headers that rules ask for: of ten thousand calls no more is kept.
    enum Header: String {
        case acceptEncoding = "accept-encoding"
        case cacheControl = "cache-control"
        case connection
        case contentEncoding = "content-encoding"
        case entityTag = "etag"
        case lastModified = "last-modified"
    }

    let item: StoredItem
    let attempts: [StoredAttempt]
    let endpoint: Endpoint
    /// The first of each, of the last attempt whose headers were captured.
    private let requestHeaders: [Header: String]
    private let responseHeaders: [Header: String]
    /// Whether headers of a response were captured.
    let hasResponseHeaders: Bool
    /// Seconds since 1970, of the beginning and of the end.
    let start: Double
    let end: Double

    init(_ entry: ReportEntry) {
        item = Self.bounded(entry.item)
        attempts = entry.attempts.map(Self.bounded)
        endpoint = Endpoint(item)
        let last = entry.exchanges.last { !$0.responseFields.isEmpty } ?? entry.exchanges.last
        requestHeaders = Self.known(last?.requestFields ?? [])
        responseHeaders = Self.known(last?.responseFields ?? [])
        hasResponseHeaders = last?.responseFields.isEmpty == false
        start = item.startedAt.timeIntervalSince1970
        end = start + (item.duration ?? .zero).inSeconds
    }

    var host: String { item.host ?? "" }
    var url: String { item.url ?? "" }
    var method: String { item.method ?? "" }
    var status: Int { item.status ?? 0 }
    var isGet: Bool { method == "GET" }
    var duration: Duration { item.duration ?? .zero }
    var responseBytes: Int64 { item.responseBytes ?? 0 }

    /// Whether a program asked for it by itself: the calls of a download are planned by the download.
    var isOwn: Bool { item.owner == nil }

    /// Whether it brought nothing usable.
    var isBad: Bool { item.outcome == .failed || item.outcome == .rejected }

    /// Whether the response came from a cache, or was confirmed by one.
    var isFromCache: Bool {
        guard let cache = item.cache else { return false }
        return Self.servedByCache.contains(cache)
    }

    /// The decisions of a cache after which its response was used.
    static let servedByCache: Set<String> = ["hit", "stale", "revalidate", "update", "shared"]

    func responseHeader(_ name: Header) -> String? { responseHeaders[name] }
    func requestHeader(_ name: Header) -> String? { requestHeaders[name] }

    private static func known(_ fields: [StoredExchange.Field]) -> [Header: String] {
        var values: [Header: String] = [:]
        for field in fields {
            guard let name = Header(rawValue: field.name.lowercased()), values[name] == nil else { continue }
            values[name] = field.value.bounded(to: maximumBytes)
        }
        return values
    }

    /// So many bytes of a URL, a message or a value are enough for every rule, and for who reads the finding.
    private static let maximumBytes = 8000

    private static func bounded(_ item: StoredItem) -> StoredItem {
        var item = item
        item.url = item.url?.bounded(to: maximumBytes)
        item.message = item.message?.bounded(to: maximumBytes)
        if let message = item.failure?.message { item.failure?.message = message.bounded(to: maximumBytes) }
        return item
    }

    private static func bounded(_ attempt: StoredAttempt) -> StoredAttempt {
        var attempt = attempt
        attempt.url = attempt.url?.bounded(to: maximumBytes)
        if let message = attempt.failure?.message { attempt.failure?.message = message.bounded(to: maximumBytes) }
        return attempt
    }
}

extension StoredAttempt {
    /// Seconds since 1970.
    func start(in call: ExaminedCall) -> Double { call.start + (start ?? .zero).inSeconds }
}
#endif
