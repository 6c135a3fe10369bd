internal import NetCore

/// What a download, an upload or an item of an outbox does, as it waits in the queue.
final class PendingJob: Sendable {
    /// How it ended.
    struct End: Sendable {
        let outcome: StoredItem.Outcome
        let failure: PendingEvent.Failure?
    }

    let job: CallID
    let startedAt, occurredAt: Int64
    let name, url, detail: String?
    let requests: Int
    let sentBytes, receivedBytes, totalBytes: Int64?
    /// The call that it has just begun.
    let call: CallID?
    /// Nil while it is under way.
    let end: End?

    init(
        _ job: CallID, startedAt: Int64, occurredAt: Int64, name: String?, url: String?, detail: String? = nil,
        requests: Int, sentBytes: Int64? = nil, receivedBytes: Int64? = nil, totalBytes: Int64? = nil,
        call: CallID? = nil, end: End? = nil
    ) {
        self.job = job
        self.startedAt = startedAt
        self.occurredAt = occurredAt
        self.name = name
        self.url = url
        self.detail = detail
        self.requests = requests
        self.sentBytes = sentBytes
        self.receivedBytes = receivedBytes
        self.totalBytes = totalBytes
        self.call = call
        self.end = end
    }

    var bytes: Int { 256 + (url?.utf8.count ?? 0) + (detail?.utf8.count ?? 0) }
}
