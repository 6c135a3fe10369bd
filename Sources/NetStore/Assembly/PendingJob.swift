internal import NetCore

/// The activity of a download, an upload or an outbox item, waiting in the queue.
final class PendingJob: Sendable {
    /// The end of a job.
    struct End: Sendable {
        let outcome: StoredItem.Outcome
        let failure: PendingEvent.Failure?
    }

    let job: CallID
    let startedAt, occurredAt: Int64
    let name, url, detail: String?
    let requests: Int
    let sentBytes, receivedBytes, totalBytes: Int64?
    /// The call that the job has just begun.
    let call: CallID?
    /// The end; nil while the job is under way.
    let end: End?
    /// The number of the activity within its job; nil if unknown.
    let sequence: Int?
    /// True if none of the job's calls is running any more.
    let endsAttempts: Bool
    /// The error of the job or of its last call.
    let failure: PendingEvent.Failure?

    init(
        _ job: CallID, startedAt: Int64, occurredAt: Int64, name: String?, url: String?, detail: String? = nil,
        requests: Int, sentBytes: Int64? = nil, receivedBytes: Int64? = nil, totalBytes: Int64? = nil,
        call: CallID? = nil, end: End? = nil, sequence: Int? = nil, endsAttempts: Bool = false,
        failure: PendingEvent.Failure? = nil
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
        self.sequence = sequence
        self.endsAttempts = endsAttempts || end != nil
        self.failure = failure ?? end?.failure
    }

    var bytes: Int { 256 + (url?.utf8.count ?? 0) + (detail?.utf8.count ?? 0) }
}
