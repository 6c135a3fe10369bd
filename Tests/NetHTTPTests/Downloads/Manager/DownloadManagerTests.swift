import Foundation
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import NetHTTP

struct DownloadManagerTests {
    private func states(_ manager: DownloadManager) -> [String] {
        manager.tasks.map { "\($0.url.split(separator: "/").last ?? "") \($0.state)" }
    }

    @Test func downloadsStartByPriorityWithinTheCap() async throws {
        let fake = FakeDownloads { $0.maximumConcurrent = 2 }
        for (name, priority) in [
            ("a", RequestPriority.low), ("b", .normal), ("c", .low), ("d", .critical), ("e", .high),
        ] {
            try await fake.add(name, priority)
        }
        // Two that begin together have no order, so one ends at a time.
        var running = [try await fake.runner.next(), try await fake.runner.next()]
        for _ in 0..<3 {
            running.removeFirst().complete()
            running.append(try await fake.runner.next())
        }
        for run in running { run.complete() }
        for task in fake.manager.tasks { _ = try await fake.manager.file(of: task.id) }
        #expect(Set(fake.runner.names.prefix(2)) == ["a", "b"])
        #expect(fake.runner.names.dropFirst(2) == ["d", "e", "c"])
        #expect(fake.runner.concurrent.value.most == 2)
        #expect(fake.manager.tasks.allSatisfy { $0.state == .completed && $0.localURL != nil && $0.bytes == 10 })
        await fake.manager.removeCompleted()
        #expect(fake.manager.tasks.isEmpty)
    }

    @Test func aHundredEnqueuesOfOneURLGiveOneDownload() async throws {
        let fake = FakeDownloads()
        let results = await withTaskGroup(of: Result<UUID, DownloadError>.self) { group in
            for index in 0..<100 {
                // In several spellings.
                let url = index % 2 == 0 ? "http://a.test/file" : "HTTP://A.TEST/file#part"
                group.addTask {
                    do throws(DownloadError) {
                        return .success(try await fake.manager.enqueue(DownloadRequest(url)))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let errors = results.compactMap { result in
            if case .failure(let error) = result { error.code } else { nil }
        }
        #expect(errors == Array(repeating: .alreadyQueued, count: 99))
        #expect(fake.manager.tasks.count == 1)
        #expect(fake.storage.journals.value.count == 1)
        _ = try await fake.runner.next()
        #expect(fake.runner.names.map { $0.prefix(4) } == ["file"])
    }

    @Test func aBatchHasAResultForEach() async throws {
        let fake = FakeDownloads { $0.queueLimit = 2 }
        let results = await fake.manager.enqueue([
            DownloadRequest("http://a.test/1", fileName: "one.txt", priority: .high), DownloadRequest("ftp://a.test/2"),
            DownloadRequest("http://a.test/1"), DownloadRequest("http://a.test/3"), DownloadRequest("http://a.test/4"),
        ])
        let codes = results.map { result in
            if case .failure(let error) = result { "\(error.code)" } else { "ok" }
        }
        #expect(codes == ["ok", "invalidURL", "alreadyQueued", "ok", "queueFull"])
        #expect(fake.manager.tasks.map(\.name) == ["one.txt", "http://a.test/3"])
    }

    @Test func aPauseKeepsWhatHasComeAndFreesTheSlot() async throws {
        let fake = FakeDownloads()
        let first = try await fake.add("a")
        let second = try await fake.add("b")
        let run = try await fake.runner.next()
        run.report(.began(total: 100, bytes: 0, name: "a.bin"))
        run.report(.bytes(40))
        try await fake.manager.pause(first)
        #expect(fake.manager.task(first)?.state == .paused)
        #expect(fake.manager.task(first)?.bytes == 40)
        #expect(fake.storage.journals.value[first]?.isPaused == true)
        #expect(try await fake.runner.next().name == "b")
        try await fake.manager.pause(second)
        try await fake.manager.resume(first)
        #expect(fake.storage.journals.value[first]?.isPaused == false)
        try await fake.runner.next().complete(bytes: 100)
        #expect(try await fake.manager.file(of: first).bytes == 100)
        #expect(fake.manager.task(second)?.state == .paused)
    }

    @Test func aCancelledDownloadIsGoneWithItsJournal() async throws {
        let fake = FakeDownloads()
        let running = try await fake.add("a")
        let waiting = try await fake.add("b")
        _ = try await fake.runner.next()
        let states = fake.manager.states(of: running)
        let progress = fake.manager.progress(of: waiting)
        try await fake.manager.cancel(waiting)
        try await fake.manager.cancel(running)
        #expect(fake.manager.tasks.isEmpty)
        #expect(fake.storage.journals.value.isEmpty)
        #expect(await states.reduce(into: []) { $0.append($1) } == [.downloading, .cancelled])
        let error = await #expect(throws: DownloadError.self) { for try await _ in progress {} }
        #expect(error?.code == .cancelled)
        let unknown = await #expect(throws: DownloadError.self) { try await fake.manager.pause(running) }
        #expect(unknown?.code == .taskNotFound)
    }

    @Test func forgettingLeavesAFileAndDeletesAPart() async throws {
        let fake = FakeDownloads()
        let complete = try await fake.add("a")
        try await fake.runner.next().complete()
        _ = try await fake.manager.file(of: complete)
        let failed = try await fake.add("b")
        try await fake.runner.next().fail()
        let error = await #expect(throws: DownloadError.self) { try await fake.manager.file(of: failed) }
        #expect(error?.code == .rejected)
        #expect(states(fake.manager) == ["a completed", "b failed"])
        // The fake runner leaves journals behind, like a crash.
        #expect(fake.storage.journals.value.count == 2)
        try await fake.manager.forget(complete)
        try await fake.manager.forget(failed)
        #expect(fake.manager.tasks.isEmpty)
        #expect(fake.storage.journals.value.keys.contains(complete))
        #expect(!fake.storage.journals.value.keys.contains(failed))
    }

    @Test func aFailedDownloadIsTriedAgain() async throws {
        let fake = FakeDownloads()
        let id = try await fake.add("a")
        try await fake.runner.next().fail()
        for await state in fake.manager.states(of: id) where state == .failed { break }
        #expect(fake.manager.task(id)?.error?.code == .rejected)
        #expect(fake.manager.task(id)?.endedAt != nil)
        try await fake.manager.retry(id)
        #expect(fake.manager.task(id)?.error == nil)
        #expect(fake.manager.task(id)?.endedAt == nil)
        try await fake.runner.next().complete()
        _ = try await fake.manager.file(of: id)
    }

    @Test func aRestartBringsOrderPrioritiesAndPausesBack() async throws {
        let fake = FakeDownloads()
        let a = try await fake.add("a")
        for name in ["b", "c", "d"] { try await fake.add(name) }
        try await fake.manager.setPriority(.high, of: try await fake.add("e"))
        let paused = try await fake.add("f", .critical)
        try await fake.manager.pause(paused)
        await fake.manager.shutdown()
        #expect(fake.storage.isClosed.value)
        let shut = await #expect(throws: DownloadError.self) { try await fake.add("g") }
        #expect(shut?.code == .shutDown)
        let again = fake.again()
        let found = try await again.manager.restore()
        #expect(found.map(\.id).first == a)
        #expect(found.count == 6)
        #expect(found.allSatisfy { $0.bytes == 5 })
        for _ in 0..<5 { try await again.runner.next().complete() }
        for task in again.manager.tasks where task.id != paused { _ = try await again.manager.file(of: task.id) }
        #expect(again.runner.names == ["e", "a", "b", "c", "d"])
        #expect(again.manager.task(paused)?.state == .paused)
        #expect(again.manager.task(paused)?.priority == .critical)
        #expect(try await again.manager.restore().isEmpty)
    }

    @Test func shutdownPausesWhatRunsWithoutSayingSoInTheJournal() async throws {
        let fake = FakeDownloads()
        let id = try await fake.add("a")
        _ = try await fake.runner.next()
        let progress = fake.manager.progress(of: id)
        let events = fake.manager.events
        await fake.manager.shutdown()
        let error = await #expect(throws: DownloadError.self) { for try await _ in progress {} }
        #expect(error?.code == .shutDown)
        for await _ in events {}
        for await _ in fake.manager.lists {}
        #expect(fake.storage.journals.value[id]?.isPaused == false)
        #expect(fake.runner.concurrent.value.now == 0)
        await fake.manager.shutdown()
    }

    @Test func aManagerThatIsReleasedStopsItsRuns() async throws {
        let runner = FakeRunner()
        do {
            let engine = DownloadEngine(storage: FakeStorage(), runner: runner)
            let manager = DownloadManager(
                client: HTTPClient(baseURL: "http://mock.test", transport: MockTransport()),
                configuration: .init(logDetail: .none)
            ) { _ throws(DownloadError) in engine }
            try await manager.enqueue(DownloadRequest("http://a.test/a"))
            _ = try await runner.next()
        }
        while runner.concurrent.value.now > 0, !Task.isCancelled { await Task.yield() }
    }

    @Test func allCanBePausedResumedAndCancelledAtOnce() async throws {
        let fake = FakeDownloads { $0.maximumConcurrent = 2 }
        for name in ["a", "b", "c", "d"] { try await fake.add(name) }
        _ = (try await fake.runner.next(), try await fake.runner.next())
        await fake.manager.pauseAll()
        #expect(states(fake.manager) == ["a paused", "b paused", "c paused", "d paused"])
        #expect(fake.runner.names.sorted() == ["a", "b"])
        #expect(fake.storage.journals.value.values.allSatisfy { $0.isPaused })
        await fake.manager.resumeAll()
        #expect(states(fake.manager) == ["a downloading", "b downloading", "c queued", "d queued"])
        _ = (try await fake.runner.next(), try await fake.runner.next())
        await fake.manager.cancelAll()
        #expect(fake.manager.tasks.isEmpty)
        #expect(fake.storage.journals.value.isEmpty)
        #expect(fake.runner.names.count == 4)
    }

    @Test func noRoomAndNoFolderAreErrorsOfEnqueue() async throws {
        let fake = FakeDownloads { $0.keepsFree = 1000 }
        fake.storage.free.change { $0 = 999 }
        let full = await #expect(throws: DownloadError.self) { try await fake.add("a") }
        #expect(full?.code == .insufficientDiskSpace)
        #expect(full?.missingBytes == 1)
        fake.storage.free.change { $0 = 1 << 30 }
        fake.storage.failure.change { $0 = DownloadError(.fileSystem, message: "read-only") }
        let broken = await #expect(throws: DownloadError.self) { try await fake.add("a") }
        #expect(broken?.code == .fileSystem)
        #expect(fake.manager.tasks.isEmpty)
        fake.storage.failure.change { $0 = nil }
        try await fake.add("a")
        let other = DownloadManager(
            client: HTTPClient(baseURL: "http://mock.test", transport: MockTransport()), configuration: .init()
        ) { _ throws(DownloadError) in throw DownloadError(.folderInUse, message: "net-get (process 7) has it") }
        for _ in 0..<2 {
            let used = await #expect(throws: DownloadError.self) { try await other.restore() }
            #expect(used?.code == .folderInUse)
        }
    }

    @Test func endedDownloadsAreKeptUpToALimit() async throws {
        let fake = FakeDownloads { $0.endedLimit = 2 }
        for name in ["a", "b", "c", "d"] {
            let id = try await fake.add(name)
            let states = fake.manager.states(of: id)
            let run = try await fake.runner.next()
            if name == "b" { run.fail() } else { run.complete() }
            for await _ in states {}
        }
        #expect(states(fake.manager) == ["c completed", "d completed"])
        // The partial result of the failed one is found again.
        #expect(fake.storage.journals.value.values.contains { $0.url.hasSuffix("/b") })
    }
}
