internal import NetCore

/// An entry that is being assembled and, when it has ended, the row that is written. Used only on the writer thread.
///
/// A class, so that a finished entry moves to a batch without being copied.
final class ItemDraft {
    /// The maximum number of attempts kept per call: the first ones and the last one. All are counted.
    static let maximumAttempts = 100

    let key: ItemKey
    var startedAt: Int64
    var duration: Int64?
    var outcome: StoredItem.Outcome?
    var status: Int?
    var method, operation, name, url: String?
    var tags: [String] = []
    var failure: PendingEvent.Failure?
    var message: String?
    var attempts: [AttemptRow] = []
    var attemptCount = 0
    var retries = 0
    var cache: ActivityEvent.CacheDecision?
    var requestBytes, responseBytes, totalBytes: Int64?
    var requestType, responseType: String?
    var isReused: Bool?
    var version, remote: String?
    var owner: CallID?
    var level: Int?
    var detail: String?
    /// The run that the entry belongs to; nil for the writer's own run.
    var run: Int64?
    /// The progress of a job; nil for any other entry.
    var job: JobProgress?

    /// True if its row is in the table of entries under way.
    var isStored = false
    /// The batch in which the entry changed since it was last stored; nil if it's unchanged.
    var changedIn: UInt64?
    /// True if rows that belong to the entry are written while it's under way.
    var hasParts = false
    /// True if the entry is no longer under way.
    var hasEnded = false

    init(_ key: ItemKey, startedAt: Int64) {
        self.key = key
        self.startedAt = startedAt
    }

    /// Creates the draft of a job with the values of another, to change them: a batch that fails is written again with
    /// its own drafts.
    convenience init(job other: ItemDraft) {
        self.init(other.key, startedAt: other.startedAt)
        (duration, outcome, status) = (other.duration, other.outcome, other.status)
        (name, url, tags, operation, method) = (other.name, other.url, other.tags, other.operation, other.method)
        (failure, message, detail, owner) = (other.failure, other.message, other.detail, other.owner)
        (attemptCount, retries) = (other.attemptCount, other.retries)
        (requestBytes, responseBytes, totalBytes) = (other.requestBytes, other.responseBytes, other.totalBytes)
        (run, job, hasEnded) = (other.run, other.job, other.hasEnded)
    }

    func add(_ attempt: AttemptRow) {
        attemptCount += 1
        if attempts.count == Self.maximumAttempts { attempts.removeLast() }
        attempts.append(attempt)
        if let status = attempt.status { self.status = status }
        isReused = attempt.isReused ?? isReused
        version = attempt.version ?? version
        remote = attempt.remote ?? remote
    }
}
