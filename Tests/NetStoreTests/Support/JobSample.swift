import Foundation
import NetCore

@testable import NetStore

/// The activities of a job, with times in seconds after ``Events/start``. Each process counts from the start, as a
/// download manager does after a restart.
struct JobSample {
    var job = Events.id(1)
    var kind = JobActivity.Kind.download
    var url = "https://files.example.com/film.mp4"
    var bytes: Int64 = 0
    private var sequence = 0
    private var attempts = 0

    init(_ job: CallID = Events.id(1), kind: JobActivity.Kind = .download) {
        self.job = job
        self.kind = kind
    }

    /// Counts on from an earlier process, as an outbox does.
    init(continuing other: JobSample) {
        self = other
    }

    mutating func activity(
        _ state: JobActivity.State, at seconds: Double, call: Int? = nil, failure: NetError? = nil, code: String? = nil
    ) -> JobActivity {
        sequence += 1
        if call != nil { attempts += 1 }
        var activity = JobActivity(
            job: job, sequence: sequence, date: Events.start.addingTimeInterval(seconds), kind: kind,
            title: "film.mp4", url: url, state: state)
        (activity.attempts, activity.bytes) = (attempts, bytes)
        activity.call = call.map { Events.id($0) }
        (activity.failure, activity.failureCode) = (failure, code)
        return activity
    }
}

extension ActivityStore {
    /// Records the activities of a job and waits until they are committed.
    func write(_ activities: [JobActivity]) async throws {
        for activity in activities { record(activity) }
        try await flush()
    }
}
