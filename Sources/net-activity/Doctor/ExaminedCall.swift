#if Tools
internal import NetCore
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The data of a call that the rules examine: no bodies, and only the headers that a rule needs.
struct ExaminedCall {
    /// The headers that rules need; keeping only these saves memory with many calls.
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
    /// The first value of each header, from the last attempt with captured headers.
    private let requestHeaders: [Header: String]
    private let responseHeaders: [Header: String]
    /// True if response headers were captured.
    let hasResponseHeaders: Bool
    /// True if request headers were captured.
    let hasRequestHeaders: Bool
    /// The size of the response's body as it was transferred; nil if it isn't known.
    let transferredBytes: Int64?
    /// True if another program made the call, and wrote it to a HAR file.
    let isForeign: Bool
    /// The start and the end in seconds since 1970.
    let start: Double
    let end: Double

    init(_ entry: ReportEntry) {
        item = Self.bounded(entry.item)
        attempts = entry.attempts.map(Self.bounded)
        endpoint = Endpoint(item)
        let last = entry.exchanges.last { !$0.responseHeaders.isEmpty } ?? entry.exchanges.last
        requestHeaders = Self.known(last?.requestHeaders ?? [])
        var headers = Self.known(last?.responseHeaders ?? [])
        // Only large responses are examined for it.
        let detail = (item.responseBytes ?? 0) < Uncompressed.large ? nil : HARDetail(entry.item.detail)
        if headers[.contentEncoding] == nil { headers[.contentEncoding] = detail?.contentEncoding }
        transferredBytes = detail?.bodySize
        responseHeaders = headers
        hasRequestHeaders = last?.requestHeaders.isEmpty == false
        isForeign = entry.item.kind == .call && entry.item.detail?.hasPrefix("{") == true
        hasResponseHeaders = last?.responseHeaders.isEmpty == false
        start = item.startedAt.timeIntervalSince1970
        end = start + (item.duration ?? .zero).inSeconds
    }

    var host: String { item.host ?? "" }
    var url: String { item.url ?? "" }
    var method: String { item.method ?? "" }
    var status: Int { item.status ?? 0 }
    var isGet: Bool { method == "GET" }
    var duration: Duration { item.duration ?? .zero }
    var requestBytes: Int64 { item.requestBytes ?? 0 }
    var responseBytes: Int64 { item.responseBytes ?? 0 }

    /// True if the program itself made the call: the calls of a download are planned by the download.
    var isOwn: Bool { item.owner == nil }

    /// True if the call brought no usable response.
    var isBad: Bool { item.outcome == .failed || item.outcome == .rejected }

    /// True if the response came from a cache, or from a cache after revalidation.
    var isFromCache: Bool {
        guard let cache = item.cache else { return false }
        return Self.servedByCache.contains(cache)
    }

    /// The cache decisions after which a cached response was used.
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

    /// The maximum size of a URL, a message or a value: enough for every rule, and for people who read the finding.
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
    /// Returns the start of the attempt in seconds since 1970.
    func start(in call: ExaminedCall) -> Double { call.start + (start ?? .zero).inSeconds }
}
#endif
