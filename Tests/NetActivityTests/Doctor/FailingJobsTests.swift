#if Tools
import Foundation
import NetCore
import Testing

@testable import NetStore
@testable import net_activity

/// Failed jobs in `stats` and `doctor`.
struct FailingJobsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func job(
        _ number: Int, _ state: JobActivity.State, code: String? = nil, kind: JobActivity.Kind = .download
    ) -> [JobActivity] {
        let url = kind == .outbox ? "/orders" : "https://files.example.com/\(number)"
        var begun = JobActivity(
            job: Events.id(number), sequence: 1, date: Events.start, kind: kind, url: url, state: .running)
        begun.attempts = 1
        begun.call = Events.id(5000 + number)
        var ended = JobActivity(
            job: Events.id(number), sequence: 2, date: Events.start.addingTimeInterval(1), kind: kind, url: url,
            state: state)
        ended.attempts = 1
        if let code {
            ended.failure = NetError(.unknown, phase: .receiving, message: "it failed")
            ended.failureCode = code
        }
        return [begun, ended]
    }

    private func fill() async throws {
        let store = try ActivityStore(at: folder.file())
        let jobs =
            job(101, .failed, code: "checksumMismatch") + job(102, .failed, code: "checksumMismatch")
            + job(103, .failed, code: "retriesExhausted") + job(104, .completed)
            + job(105, .failed, code: "refused", kind: .outbox) + job(106, .cancelled)
        for activity in jobs + job(107, .running) { store.record(activity) }
        try await store.write(
            Events.call(1, url: "https://files.example.com/1"), Events.call(2, url: "https://files.example.com/2"),
            [Events.call(3, url: "https://files.example.com/3")[0]])
        // The unfinished entries are cut off now.
        try await store.close()
    }

    private func run(_ arguments: String...) throws -> Command {
        try Command.run(Command.product("net-activity"), arguments)
    }

    @Test func theDoctorReportsThemAndCountsWhatStatsCounts() async throws {
        try await fill()
        let doctor = try run("doctor", folder.file())
        #expect(doctor.exitCode == 0, "\(doctor.output)")
        #expect(doctor.output.hasPrefix("Looked at 2 calls and 6 jobs: 2 findings."), "\(doctor.output)")
        #expect(doctor.output.contains("Downloads from files.example.com fail"))
        #expect(doctor.output.contains("3 of 5 jobs failed (60 %), 2 of them with checksumMismatch."))
        #expect(doctor.output.contains("Outbox items fail"))
        for exact in [[], ["--exact"]] {
            let stats = try Command.run(
                Command.product("net-activity"), ["stats", folder.file(), "--by", "all"] + exact)
            #expect(stats.output.contains("2 calls and 6 jobs; of all events"), "\(stats.output)")
            let row = try #require(stats.lines.dropFirst().first).split(separator: " ")
            #expect(row.prefix(4) == ["all", "2", "6", "4"], "\(stats.output)")
        }
    }

    @Test func theFilterOfAFindingListsTheJobs() async throws {
        try await fill()
        let lines = try run("doctor", folder.file(), "--json").lines
        struct Line: Decodable {
            let rule, filter: String
            let count: Int
        }
        let findings = try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        #expect(findings.map(\.rule) == ["failing", "failing"])
        for finding in findings {
            let listed = try run("list", folder.file(), finding.filter, "--json")
            #expect(listed.lines.count == finding.count, "\(finding.filter): \(listed.output)")
        }
        #expect(try run("list", folder.file(), "~error checksumMismatch", "--json").lines.count == 2)
    }

    @Test func jobsWithoutFailuresAreNoProblem() async throws {
        let store = try ActivityStore(at: folder.file())
        for activity in job(101, .completed) { store.record(activity) }
        try await store.close()
        let doctor = try run("doctor", folder.file())
        #expect(doctor.exitCode == 1)
        #expect(doctor.output == "Looked at 0 calls and 1 job: no problems found.\n", "\(doctor.output)")
    }

    @Test func aJobShowsTheAttemptsOfEachRun() async throws {
        for part in 0..<2 {
            let store = try ActivityStore(at: folder.file())
            var activities = job(101, part == 0 ? .running : .completed)
            if part == 1 {
                activities = activities.map { old in
                    var new = JobActivity(
                        job: old.job, sequence: old.sequence, date: old.date.addingTimeInterval(100), kind: old.kind,
                        url: old.url, state: old.state)
                    (new.attempts, new.call) = (old.attempts, old.call.map { _ in Events.id(9000) })
                    return new
                }
            }
            for activity in activities { store.record(activity) }
            try await store.close()
        }
        let shown = try run("show", folder.file(), Events.id(101).description)
        #expect(shown.output.contains("result:    completed"), "\(shown.output)")
        let rows = shown.lines.drop { !$0.contains("RUN") }.dropFirst().map {
            $0.split(separator: " ").map(String.init)
        }
        #expect(rows.prefix(2).map { $0.prefix(2) } == [["1", "1"], ["2", "2"]], "\(shown.output)")
        let listed = try run("list", folder.file(), "--json")
        #expect(listed.lines.count == 1)
        #expect(listed.output.contains("\"attempts\":2"), "\(listed.output)")
    }
}
#endif
