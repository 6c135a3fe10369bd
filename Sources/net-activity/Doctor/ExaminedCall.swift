#if Tools
internal import NetCore
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What the rules look at of a call: everything but its bodies.
struct ExaminedCall {
    let item: StoredItem
    let attempts: [StoredAttempt]
    /// The headers of the last attempt whose headers were captured.
    let requestHeaders: [StoredExchange.Field]
    let responseHeaders: [StoredExchange.Field]
    /// Seconds since 1970, of the beginning and of the end.
    let start: Double
    let end: Double

    init(_ entry: ReportEntry) {
        item = entry.item
        attempts = entry.attempts
        let last = entry.exchanges.last { !$0.responseFields.isEmpty } ?? entry.exchanges.last
        requestHeaders = last?.requestFields ?? []
        responseHeaders = last?.responseFields ?? []
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
        return ["hit", "stale", "revalidate", "update", "shared"].contains(cache)
    }

    func responseHeader(_ name: String) -> String? { Self.value(name, responseHeaders) }
    func requestHeader(_ name: String) -> String? { Self.value(name, requestHeaders) }

    private static func value(_ name: String, _ fields: [StoredExchange.Field]) -> String? {
        fields.first { $0.name.lowercased() == name }?.value
    }
}

extension StoredAttempt {
    /// Seconds since 1970.
    func start(in call: ExaminedCall) -> Double { call.start + (start ?? .zero).inSeconds }
}
#endif
