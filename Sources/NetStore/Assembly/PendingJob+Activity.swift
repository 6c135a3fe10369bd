internal import NetCore

extension PendingJob {
    convenience init(_ activity: JobActivity) {
        let now = StoredTime.microseconds(of: activity.date)
        let isUpload = activity.kind == .upload
        self.init(
            activity.job, startedAt: now, occurredAt: now, name: activity.title, url: activity.url,
            detail: "\(activity.kind.rawValue), \(activity.state.rawValue)", requests: activity.attempts,
            sentBytes: isUpload ? activity.bytes : nil, receivedBytes: isUpload ? nil : activity.bytes,
            totalBytes: activity.totalBytes, call: activity.call, end: End(activity), sequence: activity.sequence,
            endsAttempts: activity.state != .running && activity.call == nil,
            failure: PendingEvent.Failure(activity))
    }
}

extension PendingJob.End {
    fileprivate init?(_ activity: JobActivity) {
        let outcome: StoredItem.Outcome
        switch activity.state {
        case .completed: outcome = .completed
        case .failed: outcome = .failed
        case .cancelled: outcome = .cancelled
        default: return nil
        }
        self.init(outcome: outcome, failure: PendingEvent.Failure(activity))
    }
}
