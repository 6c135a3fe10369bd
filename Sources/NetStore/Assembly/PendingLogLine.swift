internal import NetCore

/// A log line waiting in the queue.
final class PendingLogLine: Sendable {
    let uid: CallID
    let occurredAt: Int64
    /// The level, from 0 (trace) to 6 (critical).
    let level: Int
    let label, message: String
    /// The metadata, as JSON.
    let detail: String?
    /// The call that the line belongs to.
    let owner: CallID?

    init(
        _ uid: CallID, occurredAt: Int64, level: Int, label: String, message: String, detail: String?, owner: CallID?
    ) {
        self.uid = uid
        self.occurredAt = occurredAt
        self.level = level
        self.label = label
        self.message = message
        self.detail = detail
        self.owner = owner
    }

    var bytes: Int { 192 + message.utf8.count + (detail?.utf8.count ?? 0) }
}
