internal import NetCore

/// The part of a job's progress that one process has recorded: the times of its activities, and its attempts.
struct JobProgress: Sendable, Hashable, Codable {
    /// The number of the first recorded activity within the job; nil if unknown.
    var firstSequence: Int?
    /// The times of the first and of the last activity, in microseconds since 1970.
    var begin, last: Int64
    /// The first attempts and the last one, at most ``ItemDraft/maximumAttempts``.
    var attempts: [JobAttempt]?

    init(_ job: PendingJob) {
        firstSequence = job.sequence
        (begin, last) = (job.occurredAt, job.occurredAt)
    }

    /// Adds an activity.
    mutating func take(_ job: PendingJob) {
        (begin, last) = (min(begin, job.occurredAt), max(last, job.occurredAt))
        var attempts = attempts ?? []
        if let call = job.call { attempts.append(JobAttempt(call: call.description, start: job.occurredAt)) }
        if attempts.count > ItemDraft.maximumAttempts { attempts.remove(at: ItemDraft.maximumAttempts - 1) }
        if job.endsAttempts {
            for index in attempts.indices where attempts[index].end == nil {
                attempts[index].end = job.occurredAt
                attempts[index].error = job.failure?.code
                attempts[index].phase = job.failure?.phase
                attempts[index].message = job.failure?.message
            }
        }
        self.attempts = attempts.isEmpty ? nil : attempts
    }

    /// True if the process counted the job's attempts from the start, and not those of earlier processes.
    var countsFromStart: Bool { (firstSequence ?? 1) <= 1 }
}
