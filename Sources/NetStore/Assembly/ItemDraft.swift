internal import NetCore

/// An entry that is being put together; when it has ended, the row that is written. Used by the writer's thread only.
///
/// A class, so that a finished entry moves from the calls under way to a batch without being copied.
final class ItemDraft {
    /// The most attempts that are kept of a call: its first ones and its last one. All are counted.
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
    /// The run that it belongs to; nil for the writer's own.
    var run: Int64?

    /// Whether a row of it stands among those under way.
    var isStored = false
    /// Whether it has changed since, and the batch in which it did; nil for an unchanged one.
    var changedIn: UInt64?
    /// Whether rows that belong to it are written while it is under way.
    var hasParts = false
    /// Whether it isn't under way any more.
    var hasEnded = false

    init(_ key: ItemKey, startedAt: Int64) {
        self.key = key
        self.startedAt = startedAt
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
