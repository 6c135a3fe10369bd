#if Server
import Foundation
import HTTPTypes
import NetCore
import NetTestServer
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport
@testable import NetHTTP

/// A manager with its real runs and folder, against a server.
struct DownloadEndToEndTests {
    /// The deviations from the defaults.
    private struct Setup {
        var listeners: [any ActivityListener] = []
        var configuration = DownloadManager.Configuration(maximumConcurrent: 1, logDetail: .none)

        static func manager(_ change: (inout DownloadManager.Configuration) -> Void) -> Setup {
            var setup = Setup()
            change(&setup.configuration)
            return setup
        }
    }

    private func with(
        _ stubs: [Stub], _ setup: Setup = Setup(),
        _ body: @escaping (DownloadManager, Fixture, String) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let listeners = setup.listeners
            let client = Fixture.Setup.client { $0.listeners = listeners }
            try await Fixture.run(stubs, with: client) { fixture in
                var configuration = setup.configuration
                (configuration.folder, configuration.keepsFree) = (folder.url.path, 0)
                configuration.flushesAtEnd = false
                let manager = DownloadManager(client: fixture.client, configuration: configuration)
                do {
                    try await body(manager, fixture, folder.url.path)
                } catch {
                    await manager.shutdown()
                    throw error
                }
                await manager.shutdown()
            }
        }
    }

    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    /// Returns the names of parts and journals.
    private func unfinished(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder + "/.downloads").sorted()
            .filter { $0.hasSuffix(".part") || $0.hasSuffix(".journal") }
    }

    private func content(_ seed: Int, _ count: Int) -> Bytes {
        Bytes((0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8) ^ seed) })
    }

    /// A file that takes five seconds, but whose rest is fast if it is requested as a range.
    private func slow(_ content: Bytes) -> Stub {
        Stub(.get, "/slow") { request in
            let whole = StubResponse.bytes(content).header(.eTag, "\"1\"")
            return request.headers[.range] == nil ? whole.throttled(to: content.count / 5) : whole.part(for: request)
        }
    }

    private func request(_ fixture: Fixture, _ path: String, _ priority: RequestPriority = .normal) -> DownloadRequest {
        DownloadRequest("\(fixture.server.baseURL)\(path)", priority: priority)
    }

    /// Waits until bytes have arrived.
    private func waitForBytes(_ manager: DownloadManager, _ id: UUID) async throws {
        for try await progress in manager.progress(of: id) where progress.bytes > 0 { break }
    }

    @Test func twentyFilesComeByPriorityAndWhole() async throws {
        let contents = (0..<20).map { content($0, 1000 * $0 + 1) }
        let stubs = (0..<20).map { Stub(.get, PathTemplate("/file\($0).bin"), .bytes(contents[$0])) }
        let network = NetworkStatusFeed(NetworkStatus(.unreachable))
        try await with(stubs, .manager { $0.network = network }) { manager, fixture, folder in
            let priorities: [RequestPriority] = [.low, .normal, .high, .critical]
            let requests = (0..<20).map { request(fixture, "/file\($0).bin", priorities[$0 % 4]) }
            // All are added before the first one starts.
            await manager.enqueue(requests)
            let ids = manager.tasks.map(\.id)
            #expect(ids.count == 20)
            network.update(NetworkStatus(.reachable))
            for (index, id) in ids.enumerated() {
                let file = try await manager.file(of: id)
                #expect(file.name == "file\(index).bin")
                #expect(file.bytes == Int64(contents[index].count))
                #expect(try bytes(file.path) == Data(contents[index]))
            }
            let order = fixture.server.requests.compactMap { $0.target.split(separator: "/").last }
            let expected = (0..<20).sorted { ($1 % 4, $0) < ($0 % 4, $1) }.map { "file\($0).bin" }
            #expect(order.map(String.init) == expected)
            #expect(try unfinished(folder).isEmpty)
            await manager.removeCompleted()
            #expect(manager.tasks.isEmpty)
            #expect(FileManager.default.fileExists(atPath: folder + "/file7.bin"))
        }
    }

    @Test func aPausedDownloadGoesOnWhereItIs() async throws {
        let content = content(1, 400_000)
        try await with([slow(content)]) { manager, fixture, _ in
            let id = try await manager.enqueue(request(fixture, "/slow"))
            try await waitForBytes(manager, id)
            try await manager.pause(id)
            let task = try #require(manager.task(id))
            #expect(task.state == .paused)
            #expect(task.bytes > 0)
            #expect(task.total == 400_000)
            #expect(task.fileName == "slow")
            try await manager.resume(id)
            #expect(try bytes(try await manager.file(of: id).path) == Data(content))
            let fields = fixture.server.requests.last?.headers
            #expect(fields?[.range] == "bytes=\(task.bytes)-")
            #expect(fields?[.ifRange] == "\"1\"")
        }
    }

    @Test func aCancelledDownloadLeavesNothing() async throws {
        try await with([slow(content(1, 400_000))]) { manager, fixture, folder in
            let id = try await manager.enqueue(request(fixture, "/slow"))
            try await waitForBytes(manager, id)
            #expect(try unfinished(folder) == ["\(CallID(id)).journal", "\(CallID(id)).part"])
            try await manager.cancel(id)
            #expect(try unfinished(folder).isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [".downloads"])
        }
    }

    @Test func anotherManagerTakesUpWhatTheFirstHasLeft() async throws {
        let content = content(1, 400_000)
        let stubs = [slow(content), Stub(.get, "/other", .bytes(content))]
        try await with(stubs) { manager, fixture, folder in
            let id = try await manager.enqueue(request(fixture, "/slow"))
            var other = request(fixture, "/other", .low)
            other.fileName = "wished.bin"
            other.folder = "deeper/folder"
            let waiting = try await manager.enqueue(other)
            try await manager.setPriority(.high, of: waiting)
            try await waitForBytes(manager, id)
            let again = DownloadManager(client: fixture.client, configuration: manager.configuration)
            let refused = await #expect(throws: DownloadError.self) { try await again.restore() }
            #expect(refused?.code == .folderInUse)
            #expect(refused?.message.contains("process \(ProcessInfo.processInfo.processIdentifier)") == true)
            await manager.shutdown()
            let found = try await again.restore()
            try #require(found.map(\.id) == [id, waiting])
            #expect(found[0].bytes > 0)
            #expect(found[0].total == 400_000)
            #expect(found[1].priority == .high)
            try #require(found.map(\.fileName) == [nil, "wished.bin"])
            let file = try await again.file(of: waiting)
            #expect(file.path == folder + "/deeper/folder/wished.bin")
            #expect(try bytes(try await again.file(of: id).path) == Data(content))
            #expect(fixture.server.requests.map(\.target) == ["/slow", "/other", "/slow"])
            #expect(fixture.server.requests.last?.headers[.range] == "bytes=\(found[0].bytes)-")
            await again.shutdown()
        }
    }

    @Test func aRefusedLinkIsReplacedAndKept() async throws {
        let content = content(1, 400_000)
        let stubs = [Stub(.get, "/old", .status(.forbidden)), slow(content)]
        let asked = Locked<[String]>([])
        let setup = Setup.manager {
            $0.renewedLink = { task, status in
                asked.change { $0.append("\(task.state) \(status)") }
                return DownloadRequest(task.url.replacing("/old", with: "/slow"))
            }
        }
        try await with(stubs, setup) { manager, fixture, _ in
            let id = try await manager.enqueue(request(fixture, "/old"))
            try await waitForBytes(manager, id)
            #expect(asked.value == ["downloading 403"])
            #expect(manager.task(id)?.url.hasSuffix("/slow") == true)
            // Every write of the journal includes the new link.
            try await manager.setPriority(.high, of: id)
            await manager.shutdown()
            let again = DownloadManager(client: fixture.client, configuration: manager.configuration)
            #expect(try await again.restore().first?.url.hasSuffix("/slow") == true)
            #expect(try bytes(try await again.file(of: id).path) == Data(content))
            await again.shutdown()
        }
    }

    @Test func theCallsOfADownloadAreItsJobs() async throws {
        struct Watcher: ActivityListener {
            let calls = Locked<[CallID]>([])
            let jobs = Locked<[JobActivity]>([])
            var interest: ActivityInterest { [.calls, .jobs] }
            func record(_ event: ActivityEvent) {
                if case .started = event.kind { calls.change { $0.append(event.call) } }
            }
            func record(_ activity: JobActivity) { jobs.change { $0.append(activity) } }
        }
        let watcher = Watcher()
        let stubs = [
            Stub(.get, "/moved", StubResponse(status: .found, headers: [.location: "/file"])),
            Stub(.get, "/file", StubResponse.bytes(content(1, 100)).header(.eTag, "\"1\"")),
        ]
        try await with(stubs, Setup(listeners: [watcher])) { manager, fixture, _ in
            let id = try await manager.enqueue(request(fixture, "/moved"))
            _ = try await manager.file(of: id)
            let calls = watcher.calls.value
            let jobs = watcher.jobs.value
            #expect(calls.count == 1)
            #expect(jobs.compactMap(\.call) == calls)
            #expect(jobs.allSatisfy { $0.job == CallID(id) })
            #expect(jobs.map(\.state) == [.queued, .running, .running, .completed])
            #expect(jobs.last?.bytes == 100)
            #expect(jobs.last?.attempts == 1)
        }
    }

    @Test func downloadsGoOnWhenTheNetworkIsBack() async throws {
        let network = NetworkStatusFeed(NetworkStatus(.unreachable))
        try await with([Stub(.get, "/file", .bytes(content(1, 100)))], .manager { $0.network = network }) {
            manager, fixture, _ in
            let id = try await manager.enqueue(request(fixture, "/file"))
            #expect(manager.task(id)?.state == .waiting)
            #expect(fixture.server.requests.isEmpty)
            network.update(NetworkStatus(.reachable))
            #expect(try await manager.file(of: id).bytes == 100)
        }
    }

    @Test func eachDownloadCanHaveAFolderOfItsOwn() async throws {
        try await with([Stub(.get, "/file", .bytes(content(1, 100)))], .manager { $0.layout = .folderPerTask }) {
            manager, fixture, folder in
            let progress = try await manager.download(request(fixture, "/file"))
            var last: DownloadProgress?
            for try await next in progress { last = next }
            let id = try #require(manager.tasks.first?.id)
            #expect(last?.localURL?.path.hasPrefix("\(folder)/\(CallID(id))/file") == true)
        }
    }
}
#endif
