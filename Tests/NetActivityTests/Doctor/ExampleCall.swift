#if Tools
import Foundation
import NetCore

@testable import NetStore
@testable import net_activity

/// A call for the doctor; by default one without problems.
struct ExampleCall {
    var number = 0
    /// Seconds after the first call.
    var at = 0.0
    var took = Duration.milliseconds(20)
    var method = "GET"
    var url = "https://api.example.com/items"
    var status: Int? = 200
    var outcome = StoredItem.Outcome.completed
    var error: (code: String, phase: String)?
    var bytes: Int64 = 500
    var sent: Int64 = 0
    var type: String? = "application/json"
    var cache: (decision: String, reason: String?)?
    var run: Int64 = 1
    var owner: CallID?
    var isReused = true
    var version = "2"
    var phases = TransferPhases(queued: .zero, waiting: .milliseconds(10), download: .milliseconds(5))
    /// The attempts before the last one.
    var earlier: [StoredAttempt] = []
    var request: [String: String] = ["Accept-Encoding": "gzip"]
    var response: [String: String] = [:]

    static let start = 1_767_225_600.0  // 2026-01-01T00:00:00Z

    var entry: ReportEntry {
        let date = Date(timeIntervalSince1970: Self.start + at)
        var item = StoredItem(id: Int64(number), uid: Self.id(number), kind: .call, run: run, startedAt: date)
        (item.duration, item.outcome, item.status) = (took, outcome, status)
        (item.method, item.url, item.host) = (method, url, StoredURL.host(of: url))
        item.failure = error.map { StoredFailure(code: $0.code, phase: $0.phase, message: "no luck") }
        (item.requestBytes, item.responseBytes, item.responseType) = (sent, bytes, type)
        (item.cache, item.cacheReason) = (cache?.decision, cache?.reason)
        (item.owner, item.isReused, item.version) = (owner, isReused, version)
        var last = StoredAttempt(earlier.count + 1)
        (last.url, last.status, last.failure, last.duration) = (url, status, item.failure, took)
        (last.phases, last.version, last.isReused) = (phases, version, isReused)
        last.start = earlier.isEmpty ? .zero : took / 2
        item.attempts = earlier.count + 1
        item.retries = earlier.count { $0.retryReason != nil }
        var entry = ReportEntry(item)
        entry.attempts = earlier + [last]
        if !response.isEmpty {
            let fields = { (all: [String: String]) in
                all.sorted { $0.key < $1.key }.map { StoredExchange.Field(name: $0.key, value: $0.value) }
            }
            entry.exchanges = [
                StoredExchange(
                    number: last.number, status: status, requestHeaders: fields(request),
                    responseHeaders: fields(response))
            ]
        }
        return entry
    }

    static func id(_ number: Int) -> CallID {
        CallID(milliseconds: UInt64(start * 1000) + UInt64(number), random: NetRandom { UInt64(number) })
    }

    /// Returns an attempt that is followed by a retry.
    static func retried(_ number: Int, status: Int? = 503, at start: Duration = .zero) -> StoredAttempt {
        var attempt = StoredAttempt(number)
        (attempt.status, attempt.start, attempt.duration) = (status, start, .milliseconds(10))
        (attempt.retryDelay, attempt.retryReason) = (.milliseconds(500), "status 503")
        return attempt
    }

    /// Returns an attempt that is redirected.
    static func redirected(_ number: Int) -> StoredAttempt {
        var attempt = StoredAttempt(number)
        (attempt.status, attempt.start, attempt.duration) = (301, .zero, .milliseconds(30))
        attempt.url = "http://api.example.com/items"
        return attempt
    }
}

/// A WebSocket for the doctor.
struct ExampleSocket {
    var number = 0
    var at = 0.0
    var took: Duration? = .seconds(3600)
    var code: Int? = 1000
    var outcome = StoredItem.Outcome.completed

    var entry: ReportEntry {
        let date = Date(timeIntervalSince1970: ExampleCall.start + at)
        var item = StoredItem(id: Int64(number), uid: ExampleCall.id(number), kind: .socket, run: 1, startedAt: date)
        (item.duration, item.outcome, item.status) = (took, outcome, code)
        (item.url, item.host) = ("wss://live.example.com/feed", "live.example.com")
        return ReportEntry(item)
    }
}
#endif
