internal import NetCore
internal import Synchronization

/// Reports item changes to activity listeners. An item is a job until it's completed, parked or dropped; retrying a
/// parked item starts a new job.
final class OutboxJobs: Sendable {
    /// The description of an item in reports.
    struct Subject: Sendable {
        var title: String?
        var url: String

        init(_ item: OutboxItem) { (title, url) = (item.name ?? item.operationID, item.url) }

        init(_ metadata: RequestMetadata, url: String) { (title, self.url) = (metadata.displayName, url) }
    }

    private let listeners: [any ActivityListener]
    private let clock: NetClock
    /// The jobs that this process is sending.
    private let running = Mutex<Set<CallID>>([])

    init(_ configuration: Outbox.Configuration) {
        listeners = configuration.listeners.filter { $0.interest.contains(.jobs) }
        clock = configuration.clock
    }

    /// Reports a change. Skips changes after the end of a job: a send under way may begin its call after its item was
    /// dropped.
    func report(
        _ state: JobActivity.State, _ position: OutboxTables.JobPosition, _ subject: Subject, attempts: Int,
        bytes: Int = 0, failure: NetError? = nil, parked reason: OutboxItem.ParkReason? = nil, call: CallID? = nil
    ) {
        guard !listeners.isEmpty else { return }
        var activity = JobActivity(
            job: position.job, sequence: position.sequence, date: clock.date(), kind: .outbox, title: subject.title,
            url: subject.url, state: state)
        activity.attempts = attempts
        activity.bytes = Int64(bytes)
        activity.failure = failure
        activity.failureCode = reason?.rawValue
        activity.call = call
        // Holds the lock while reporting, so that a call isn't reported after the end. Listeners never block.
        running.withLock { running in
            if call != nil, !running.contains(position.job) { return }
            if state == .running { running.insert(position.job) } else { running.remove(position.job) }
            for listener in listeners { listener.record(activity) }
        }
    }

    /// True until the end of the job's send has been reported.
    func isRunning(_ job: CallID) -> Bool { running.withLock { $0.contains(job) } }
}
