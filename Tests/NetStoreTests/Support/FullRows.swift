import NetCore

@testable import NetStore

/// Rows with all values set, each to a different one.
extension AttemptRow {
    static func full(_ number: Int) -> AttemptRow {
        AttemptRow(
            number: number, start: 300, end: 400, method: "PATCH", url: "https://other.example/x", status: 502,
            error: "dns", phase: "resolving", message: "no such host", requestBytes: 11, responseBytes: 12, total: 13,
            queued: 14, lookup: 15, connect: 16, secure: 17, sending: 22, waiting: 18, download: 19, version: "2",
            isReused: true, remote: "127.0.0.1:20", trace: [1, 2, 3, 4, 5, 6, 7, 8, 1], retryDelay: 21,
            retryReason: "because")
    }
}

extension ItemDraft {
    static let fullStart = StoredTime.microseconds(of: Events.start) + 250_000

    /// A call with these attempts.
    static func full(_ number: Int = 1, attempts: [AttemptRow]) -> ItemDraft {
        let draft = ItemDraft(ItemKey(Events.id(number), .call), startedAt: fullStart)
        for attempt in attempts { draft.add(attempt) }
        draft.duration = 2_000_002
        draft.outcome = .failed
        draft.status = 503
        (draft.method, draft.operation, draft.name) = ("PUT", "putItem", "the name")
        draft.url = "https://api.example.com:8443/items?page=2"
        draft.tags = ["one", "two"]
        draft.failure = PendingEvent.Failure(NetError(.timeout, phase: .waiting, message: "too late"))
        (draft.attemptCount, draft.retries) = (7, 6)
        draft.cache = .init(.revalidate, .stale)
        (draft.requestBytes, draft.responseBytes, draft.totalBytes) = (101, 102, 103)
        (draft.requestType, draft.responseType) = ("text/a", "text/b")
        (draft.isReused, draft.version, draft.remote) = (true, "1.1", "127.0.0.1:30")
        draft.owner = Events.id(500)
        draft.level = 4
        draft.detail = "the detail"
        return draft
    }
}

extension StoredItem {
    /// The entry read from ``ItemDraft/full(_:attempts:)``.
    static func full(_ number: Int = 1, id: Int64, run: Int64) -> StoredItem {
        var item = StoredItem(
            id: id, uid: Events.id(number), kind: .call, run: run, startedAt: StoredTime.date(ItemDraft.fullStart))
        item.duration = .microseconds(2_000_002)
        item.outcome = .failed
        item.status = 503
        (item.method, item.operation, item.name) = ("PUT", "putItem", "the name")
        item.tags = ["one", "two"]
        (item.host, item.url) = ("api.example.com:8443", "https://api.example.com:8443/items?page=2")
        item.failure = StoredFailure(code: "timeout", phase: "waiting", message: "too late")
        (item.attempts, item.retries) = (7, 6)
        (item.cache, item.cacheReason) = ("revalidate", "stale")
        (item.requestBytes, item.responseBytes) = (101, 102)
        (item.requestType, item.responseType) = ("text/a", "text/b")
        (item.isReused, item.version, item.remoteAddress) = (true, "1.1", "127.0.0.1:30")
        item.owner = Events.id(500)
        item.level = "warning"
        item.detail = "the detail"
        return item
    }
}

extension StoredAttempt {
    /// The attempt read from ``AttemptRow/full(_:)``.
    static func full(_ number: Int) -> StoredAttempt {
        var attempt = StoredAttempt(number)
        (attempt.method, attempt.url) = ("PATCH", "https://other.example/x")
        (attempt.start, attempt.end) = (.microseconds(300), .microseconds(400))
        attempt.status = 502
        attempt.failure = StoredFailure(code: "dns", phase: "resolving", message: "no such host")
        (attempt.requestBytes, attempt.responseBytes) = (11, 12)
        attempt.duration = .microseconds(13)
        attempt.phases = TransferPhases(
            queued: .microseconds(14), lookup: .microseconds(15), connect: .microseconds(16),
            secure: .microseconds(17), sending: .microseconds(22), waiting: .microseconds(18),
            download: .microseconds(19))
        (attempt.version, attempt.isReused, attempt.remoteAddress) = ("2", true, "127.0.0.1:20")
        attempt.trace = StoredTrace.trace([1, 2, 3, 4, 5, 6, 7, 8, 1], call: Events.id(1))
        attempt.retryDelay = .microseconds(21)
        attempt.retryReason = "because"
        return attempt
    }
}
