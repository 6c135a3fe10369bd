import Foundation
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport
@testable import NetHTTP

struct DownloadLogTests {
    /// Returns the log of several downloads: one that is paused, resumed, retried and completed, one that fails, and
    /// one that is cancelled.
    private func lines(_ detail: LoggingMiddleware.Detail) async throws -> [String] {
        let fake = FakeDownloads { $0.logDetail = detail }
        let id = try await fake.add("a")
        let run = try await fake.runner.next()
        run.report(.response(status: 200, type: MediaType("text/plain")))
        run.report(.began(total: 100, bytes: 0, name: "a.txt"))
        try await fake.manager.pause(id)
        try await fake.manager.resume(id)
        let second = try await fake.runner.next()
        second.report(.attempt(2, after: .seconds(1), DownloadError(.network, message: "lost")))
        second.report(.bytes(50))
        second.complete(bytes: 100)
        _ = try await fake.manager.file(of: id)
        let failed = try await fake.add("b")
        try await fake.runner.next().fail()
        for await _ in fake.manager.states(of: failed) {}
        try await fake.manager.cancel(try await fake.add("c"))
        #expect(fake.log.lines.allSatisfy { $0.metadata["download"] != nil && $0.metadata["url"] != nil })
        return fake.log.lines.map(\.text)
    }

    @Test func eachDetailHasItsEvents() async throws {
        let minimal = [
            "warning ↻ attempt 2 follows: lost", "info ✓ completed", "error ✗ failed: no", "info · cancelled",
        ]
        let standard = [
            "info ↓ enqueued", "info ↓ started", "info ← response", "info ← type", "info · paused", "info ↓ resumed",
            "info ↓ started", "warning ↻ attempt 2 follows: lost", "info ✓ completed", "info ↓ enqueued",
            "info ↓ started",
            "error ✗ failed: no", "info ↓ enqueued", "info ↓ started", "info · cancelled",
        ]
        #expect(try await lines(.none) == [])
        #expect(try await lines(.minimal) == minimal)
        #expect(try await lines(.standard) == standard)
        let verbose = try await lines(.verbose)
        #expect(verbose.filter { $0 != "info ↓ progress" } == standard)
        #expect(verbose.count(where: { $0 == "info ↓ progress" }) == 1)
    }

    @Test func theLastLineHasTheLastAttempt() async throws {
        let fake = FakeDownloads { $0.logDetail = .minimal }
        let id = try await fake.add("a")
        let run = try await fake.runner.next()
        run.report(.began(total: 100, bytes: 0, name: "a.txt"))
        for number in 2...3 { run.report(.attempt(number, after: .zero, DownloadError(.network, message: "lost"))) }
        run.report(.bytes(50))
        run.complete(bytes: 100)
        _ = try await fake.manager.file(of: id)
        #expect(fake.log.lines.map { $0.metadata["attempt"] } == ["2", "3", "3"])
    }

    @Test func listenersSeeAJobWithItsCalls() async throws {
        struct Jobs: ActivityListener {
            let all = Locked<[JobActivity]>([])
            var interest: ActivityInterest { .jobs }
            func record(_ event: ActivityEvent) {}
            func record(_ activity: JobActivity) { all.change { $0.append(activity) } }
        }
        let jobs = Jobs()
        let fake = FakeDownloads(listeners: [jobs, CaptureLog()])
        let id = try await fake.add("a?token=hidden-value")
        let run = try await fake.runner.next()
        let call = CallID(high: 1, low: 2)
        run.report(.call(call))
        // A redirect within the same call.
        run.report(.call(call))
        run.report(.began(total: 10, bytes: 0, name: "a.bin"))
        run.complete()
        _ = try await fake.manager.file(of: id)
        let all = jobs.all.value
        #expect(all.map(\.state) == [.queued, .running, .running, .completed])
        #expect(all.map(\.sequence) == [1, 2, 3, 4])
        #expect(all.map(\.call) == [nil, nil, call, nil])
        #expect(all.allSatisfy { $0.job == CallID(id) && $0.kind == .download && !$0.url.contains("hidden-value") })
        #expect(all.last?.bytes == 10)
        #expect(all.last?.totalBytes == 10)
        #expect(all.last?.attempts == 1)
        #expect(CallID(id).uuid == id)
    }
}
