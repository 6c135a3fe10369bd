import Foundation
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport
@testable import NetHTTP

struct DownloadWatchingTests {
    @Test func twoObserversSeeTheSame() async throws {
        let fake = FakeDownloads()
        let (one, two) = (fake.manager.events, fake.manager.events)
        let id = try await fake.add("a")
        let run = try await fake.runner.next()
        run.report(.began(total: 100, bytes: 0, name: "a.bin"))
        run.report(.ranges(4))
        run.report(.attempt(2, after: .seconds(1), DownloadError(.network, message: "lost")))
        run.report(.bytes(50))
        try await fake.manager.pause(id)
        try await fake.manager.resume(id)
        try await fake.runner.next().complete(bytes: 100)
        _ = try await fake.manager.file(of: id)
        try await fake.manager.forget(id)
        await fake.manager.shutdown()
        let first = await one.reduce(into: []) { $0.append("\($1)") }
        let second = await two.reduce(into: []) { $0.append("\($1)") }
        #expect(first == second)
        #expect(
            first == [
                "added: http://a.test/a", "state downloading: http://a.test/a", "progress 0 B of 100 B: a.bin",
                "ranges 4: a.bin", "state waiting: a.bin", "error network: a.bin", "state downloading: a.bin",
                "state paused: a.bin", "state queued: a.bin", "state downloading: a.bin", "state completed: a",
                "removed: a",
            ])
    }

    @Test func aFullDiskIsToldOnceAndEndsWithTheNextBytes() async throws {
        let fake = FakeDownloads()
        let id = try await fake.add("a")
        let run = try await fake.runner.next()
        let events = fake.manager.events
        let error = DownloadError(.insufficientDiskSpace, message: "full", room: .init(required: 9, available: 2))
        for _ in 0..<3 { run.report(.noRoom(error, after: .seconds(5))) }
        #expect(fake.manager.task(id)?.state == .waiting)
        #expect(fake.manager.task(id)?.error?.missingBytes == 7)
        run.report(.bytes(5))
        #expect(fake.manager.task(id)?.state == .downloading)
        #expect(fake.manager.task(id)?.error == nil)
        await fake.manager.shutdown()
        let kinds = await events.reduce(into: []) { $0.append("\($1.kind)") }
        #expect(
            kinds.prefix(4) == ["state waiting", "error insufficientDiskSpace", "state downloading", "progress 5 B"])
        #expect(fake.log.lines.count { $0.message.contains("full") } == 1)
    }

    @Test func progressHasSpeedAndTimeLeftAndEndsWithTheFile() async throws {
        let fake = FakeDownloads()
        let id = try await fake.add("a")
        let run = try await fake.runner.next()
        try await fake.clock.waitForSleepers(count: 1)
        var progress = fake.manager.progress(of: id).makeAsyncIterator()
        let first = try await progress.next()
        #expect(first?.isIndeterminate == true)
        #expect(first?.fraction == nil)
        #expect(first?.timeLeft == nil)
        run.report(.began(total: 4000, bytes: 0, name: "a.bin"))
        for step in 1...4 {
            await fake.clock.advance(by: .milliseconds(500))
            run.report(.bytes(Int64(step) * 500))
        }
        let half = try await progress.next()
        #expect(half?.fraction == 0.5)
        #expect(half?.speed == 1000)
        #expect(half?.timeLeft == .seconds(2))
        #expect(half?.isCompleted == false)
        // No bytes arrive: the speed falls, and observers are notified.
        await fake.clock.advance(by: .seconds(4))
        #expect(try await progress.next()?.speed == 0)
        run.complete(bytes: 4000)
        var last: DownloadProgress?
        while let next = try await progress.next() { last = next }
        #expect(last?.isCompleted == true)
        #expect(last?.localURL?.path == "/fake/a")
        #expect(last?.fraction == 1)
        // A late observer sees the end.
        let late = try await fake.manager.progress(of: id).reduce(into: []) { $0.append($1) }
        #expect(late == [last])
    }

    @Test func progressIsToldEachTenthOfASecondAtMost() async throws {
        let fake = FakeDownloads()
        let events = fake.manager.events
        let id = try await fake.add("a")
        let run = try await fake.runner.next()
        run.report(.began(total: nil, bytes: 0, name: "a"))
        for step in 1...1000 {
            if step % 100 == 0 { await fake.clock.advance(by: .milliseconds(100)) }
            run.report(.bytes(Int64(step)))
        }
        run.complete(bytes: 1000)
        _ = try await fake.manager.file(of: id)
        await fake.manager.shutdown()
        let count = await events.reduce(into: 0) { count, event in
            if case .progress = event.kind { count += 1 }
        }
        // The tenth advance coincides with the pulse after one second.
        #expect((11...12).contains(count))
    }

    @Test func aSlowConsumerSeesTheNewestOnly() async throws {
        let fake = FakeDownloads()
        var lists = fake.manager.lists.makeAsyncIterator()
        #expect(await lists.next() == [])
        let id = try await fake.add("a")
        let progress = fake.manager.progress(of: id)
        let run = try await fake.runner.next()
        for step in 1...50 {
            await fake.clock.advance(by: .milliseconds(100))
            run.report(.bytes(Int64(step)))
        }
        var iterator = progress.makeAsyncIterator()
        #expect(try await iterator.next()?.bytes == 50)
        #expect(await lists.next()?.first?.bytes == 50)
        await fake.manager.shutdown()
    }

    @Test func aFailureSurfacesInEverythingThatWatches() async throws {
        let fake = FakeDownloads()
        let id = try await fake.add("a")
        let run = try await fake.runner.next()
        let (progress, states) = (fake.manager.progress(of: id), fake.manager.states(of: id))
        run.fail(.checksumMismatch)
        for updates in [progress, fake.manager.progress(of: id)] {
            let error = await #expect(throws: DownloadError.self) { for try await _ in updates {} }
            #expect(error?.code == .checksumMismatch)
        }
        #expect(await states.reduce(into: []) { $0.append($1) } == [.downloading, .failed])
        let unknown = await #expect(throws: DownloadError.self) {
            for try await _ in fake.manager.progress(of: UUID()) {}
        }
        #expect(unknown?.code == .taskNotFound)
        for await _ in fake.manager.states(of: UUID()) {}
    }

    @Test func aWaitingTaskCanBeCancelledWithoutTheDownload() async throws {
        let fake = FakeDownloads()
        let id = try await fake.add("a")
        let run = try await fake.runner.next()
        let waiting = Task { try await fake.manager.file(of: id) }
        waiting.cancel()
        let error = await #expect(throws: DownloadError.self) { try await waiting.value }
        #expect(error?.code == .cancelled)
        run.complete()
        _ = try await fake.manager.file(of: id)
    }

    @Test func aTaskIsTheSameAfterCoding() async throws {
        let fake = FakeDownloads()
        let id = try await fake.add("a?token=hidden-value")
        let run = try await fake.runner.next()
        run.report(.began(total: 100, bytes: 3, name: "a.bin"))
        run.fail()
        for await _ in fake.manager.states(of: id) {}
        let task = try #require(fake.manager.task(id))
        let decoded = try JSONDecoder().decode(DownloadTask.self, from: JSONEncoder().encode(task))
        #expect(decoded == task)
        #expect(decoded.error?.code == .rejected)
        #expect(decoded.total == 100)
        var dumped = ""
        dump(task, to: &dumped)
        dump(DownloadRequest("http://u:hidden-value@a.test/?token=hidden-value"), to: &dumped)
        dump(fake.manager.configuration, to: &dumped)
        dump(fake.manager, to: &dumped)
        dump(fake.manager.lists, to: &dumped)
        dump(fake.manager.progress(of: id), to: &dumped)
        #expect(!(dumped + "\(task) \(DownloadRequest("http://a.test/?token=hidden-value"))").contains("hidden-value"))
        #expect(!fake.log.lines.map { "\($0)" }.joined().contains("hidden-value"))
    }
}
