import NetCore
import Testing

@testable import NetStore

/// The decision which part of a job determines its end, and how its attempts are counted.
@Suite struct JobMergeTests {
    private func part(
        _ outcome: StoredItem.Outcome?, from begin: Int64, to last: Int64, attempts: [Int] = [], count: Int? = nil,
        sequence: Int = 1, code: String? = nil
    ) -> JobMerge.Part {
        let draft = ItemDraft(ItemKey(Events.id(1), .job), startedAt: begin)
        (draft.outcome, draft.duration) = (outcome, last - begin)
        draft.attemptCount = count ?? attempts.count
        if let code { draft.failure = .init(StoredFailure(code: code, phase: "", message: code)) }
        let job = PendingJob(
            Events.id(1), startedAt: begin, occurredAt: begin, name: nil, url: nil, requests: 0, sequence: sequence)
        draft.job = JobProgress(job)
        draft.job?.last = last
        draft.job?.attempts = attempts.map {
            JobAttempt(call: Events.id($0).description, start: begin + Int64($0), end: last)
        }
        return JobMerge.Part(draft, run: 1)
    }

    private func outcome(_ stored: JobMerge.Part, _ new: JobMerge.Part) -> StoredItem.Outcome? {
        (JobMerge(stored: stored, new: new).changed ?? stored).draft.outcome
    }

    @Test func theLaterPartDecidesInEitherOrder() {
        let cut = part(.cutOff, from: 0, to: 10, attempts: [1])
        let failed = part(.failed, from: 20, to: 30, attempts: [2])
        #expect(outcome(cut, failed) == .failed)
        #expect(outcome(failed, cut) == .failed)
        let again = part(.cutOff, from: 40, to: 50, attempts: [3])
        #expect(outcome(failed, again) == .cutOff)
        #expect(outcome(again, failed) == .cutOff)
    }

    @Test(arguments: [StoredItem.Outcome.completed, .cancelled]) func nothingFollowsSuchAnEnd(
        _ end: StoredItem.Outcome
    ) {
        let done = part(end, from: 20, to: 30, attempts: [1])
        for other in [StoredItem.Outcome.failed, .cutOff] {
            // A clock that was set back doesn't matter.
            for time in [0, 25, 100] as [Int64] {
                let part = part(other, from: time, to: time + 1, attempts: [2])
                #expect(outcome(done, part) == end)
                #expect(outcome(part, done) == end)
            }
        }
    }

    @Test func aPartWithoutAttemptsKeepsAFailure() {
        let failed = part(.failed, from: 0, to: 10, attempts: [1], code: "checksumMismatch")
        #expect(outcome(failed, part(.cutOff, from: 20, to: 30)) == .failed)
        let repeated = JobMerge(stored: failed, new: part(.failed, from: 20, to: 21)).changed
        #expect(repeated == nil)
        let other = part(.failed, from: 20, to: 21, code: "insufficientDiskSpace")
        #expect(JobMerge(stored: failed, new: other).changed?.draft.failure?.code == "insufficientDiskSpace")
    }

    @Test func attemptsOfLaterProcessesAreAddedAndSharedOnesCountOnce() throws {
        let first = part(.cutOff, from: 0, to: 10, attempts: [1, 2])
        let later = try #require(
            JobMerge(stored: first, new: part(.completed, from: 20, to: 30, attempts: [3])).changed)
        #expect(later.draft.attemptCount == 3)
        #expect(later.draft.startedAt == 0)
        #expect(later.draft.duration == 30)
        #expect(later.last == 30)
        #expect(later.attempts.map(\.call) == [1, 2, 3].map { Events.id($0).description })
        // Counts without the calls themselves.
        let counted = part(.cutOff, from: 0, to: 10, count: 4)
        let added = JobMerge(stored: counted, new: part(.completed, from: 20, to: 30, count: 2)).changed
        #expect(added?.draft.attemptCount == 6)
        let continued = part(.completed, from: 20, to: 30, count: 5, sequence: 9)
        #expect(JobMerge(stored: counted, new: continued).changed?.draft.attemptCount == 5)
        // The same attempts, recorded by a process that saw more of them.
        let longer = part(.completed, from: 0, to: 20, attempts: [1, 2])
        #expect(JobMerge(stored: first, new: longer).changed?.draft.attemptCount == 2)
    }

    @Test func theSamePartChangesNothing() {
        for outcome in StoredItem.Outcome.allCases {
            let one = part(outcome, from: 0, to: 10, attempts: [1, 2])
            #expect(JobMerge(stored: one, new: part(outcome, from: 0, to: 10, attempts: [1, 2])).changed == nil)
        }
    }

    @Test func aHundredAttemptsAreKept() throws {
        let first = part(.cutOff, from: 0, to: 10, attempts: Array(1...80))
        let second = part(.completed, from: 1000, to: 1010, attempts: Array(81...150))
        let changed = try #require(JobMerge(stored: first, new: second).changed)
        #expect(changed.draft.attemptCount == 150)
        #expect(changed.attempts.count == 100)
        #expect(changed.attempts.last?.call == Events.id(150).description)
    }
}
