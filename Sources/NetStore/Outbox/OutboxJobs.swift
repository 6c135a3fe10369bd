internal import NetCore
internal import Synchronization

/// Reports what items do to listeners of activity. An item is a job until it's completed, parked or dropped; a parked
/// one that is retried is a new job.
final class OutboxJobs: Sendable {
    /// What is reported of an item.
    struct Subject: Sendable {
        var title: String?
        var url: String

        init(_ item: OutboxItem) { (title, url) = (item.name ?? item.operationID, item.url) }

        init(_ metadata: RequestMetadata, url: String) { (title, self.url) = (metadata.displayName, url) }
    }

    private let listeners: [any ActivityListener]
    private let clock: NetClock
    /// The jobs that this process sends.
    private let running = Mutex<Set<CallID>>([])

    init(_ configuration: Outbox.Configuration) {
        listeners = configuration.listeners.filter { $0.interest.contains(.jobs) }
        clock = configuration.clock
    }

    /// Reports a change. What comes after the end of a job is skipped: a send that is under way may begin its call
    /// after its item was dropped.
    func report(
        _ state: JobActivity.State, _ position: OutboxTables.JobPosition, _ subject: Subject, attempts: Int,
        bytes: Int = 0, failure: NetError? = nil, call: CallID? = nil
    ) {
        guard !listeners.isEmpty else { return }
        var activity = JobActivity(
            job: position.job, sequence: position.sequence, date: clock.date(), kind: .outbox, title: subject.title,
            url: subject.url, state: state)
        activity.attempts = attempts
        activity.bytes = Int64(bytes)
        activity.failure = failure
        activity.call = call
        // Under the lock, so that a call isn't reported after the end. Listeners never block.
        running.withLock { running in
            if call != nil, !running.contains(position.job) { return }
            if state == .running { running.insert(position.job) } else { running.remove(position.job) }
            for listener in listeners { listener.record(activity) }
        }
    }

    /// True while the end of a job's send wasn't reported.
    func isRunning(_ job: CallID) -> Bool { running.withLock { $0.contains(job) } }
}
