import Foundation
import TestSupport
import Testing

@testable import NetCore

struct JobActivityTests {
    private struct Jobs: ActivityListener {
        let states = Locked<[JobActivity.State]>([])
        var interest: ActivityInterest { .jobs }
        func record(_ event: ActivityEvent) {}
        func record(_ activity: JobActivity) { states.change { $0.append(activity.state) } }
    }

    private func activity(_ state: JobActivity.State) -> JobActivity {
        JobActivity(
            job: CallID(high: 1, low: 2), sequence: 1, date: .distantPast, kind: .download, url: "https://h/",
            state: state)
    }

    @Test func nothingFollowsTheEndOfAJob() {
        let final = JobActivity.State.allCases.filter(\.isFinal)
        #expect(final == [.completed, .failed, .cancelled])
    }

    @Test func aListenerReceivesThemIfItSaysHow() {
        let jobs = Jobs()
        let listeners: [any ActivityListener] = [jobs, CaptureLog()]
        for listener in listeners { listener.record(activity(.running)) }
        #expect(jobs.states.value == [.running])
        let begun = activity(.queued)
        #expect(begun.bytes == 0)
        #expect(begun.attempts == 0)
        #expect(begun.totalBytes == nil)
        #expect(begun.call == nil)
    }
}
