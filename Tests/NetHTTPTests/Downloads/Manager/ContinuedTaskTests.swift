#if Server
import Foundation
import HTTPTypes
import NetCore
import NetCrypto
import NetTestServer
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport
@testable import NetHTTP

/// Tasks that a new request continues, and those that a restart doesn't retry.
struct ContinuedTaskTests {
    private static let content = BytePattern.bytes(from: 3, count: 400_000)

    /// A server whose links expire after some bytes, and a folder for several managers.
    private struct Site {
        let fixture: Fixture
        let folder: TemporaryFolder
        /// The status of a request for the rest with an old link.
        let status: Locked<HTTPResponse.Status>
        let tag: Locked<String>

        func manager(_ change: (inout DownloadManager.Configuration) -> Void = { _ in }) -> DownloadManager {
            var configuration = DownloadManager.Configuration(
                folder: folder.url.path, keepsFree: 0, retry: RetryPolicy(backoff: .constant(.milliseconds(1))),
                logDetail: .none)
            change(&configuration)
            return DownloadManager(client: fixture.client, configuration: configuration)
        }

        func request(_ link: String = "old", _ name: String? = "film.mp4") -> DownloadRequest {
            DownloadRequest("\(fixture.server.baseURL)/film/\(link)", fileName: name)
        }

        /// Starts a download whose link expires; returns its ID.
        func refused(_ manager: DownloadManager) async throws -> UUID {
            let id = try await manager.enqueue(request())
            await #expect(throws: DownloadError.self) { try await manager.file(of: id) }
            return id
        }

        /// The numbers of bytes at which the requests of a link begin.
        func starts(_ link: String) -> [Int64] {
            fixture.server.requests.filter { $0.target.hasSuffix("/\(link)") }.map { request in
                guard let range = request.headers[.range].flatMap({ RequestedRange($0) }),
                    case .from(let start, _) = range
                else { return 0 }
                return start
            }
        }
    }

    private func with(_ body: (Site) async throws -> Void) async throws {
        let (status, tag) = (Locked(HTTPResponse.Status.forbidden), Locked("\"1\""))
        let stub = Stub(.get, "/film/{link}") { request in
            let whole = StubResponse.bytes(Self.content).header(.eTag, tag.value)
            guard request.target.hasSuffix("/old") else { return whole.part(for: request) }
            guard request.headers[.range] == nil else { return .status(status.value) }
            return whole.dropping(.afterBodyBytes(150_000))
        }
        try await TemporaryFolder.with { folder in
            try await Fixture.run([stub.optional()]) { fixture in
                try await body(Site(fixture: fixture, folder: folder, status: status, tag: tag))
            }
        }
    }

    @Test(arguments: [401, 403, 404, 410]) func thePartOutlivesARefusal(_ status: Int) async throws {
        for restarts in [false, true] {
            try await with { site in
                site.status.change { $0 = HTTPResponse.Status(code: status) }
                var manager = site.manager()
                let id = try await site.refused(manager)
                #expect(manager.task(id)?.state == .failed)
                #expect(manager.task(id)?.error?.status == status)
                if restarts {
                    await manager.shutdown()
                    manager = site.manager()
                }
                let new = try await manager.enqueue(site.request("new"))
                #expect(new == id)
                let file = try await manager.file(of: new)
                #expect(try Bytes(Data(contentsOf: file.url)) == Self.content)
                #expect(file.name == "film.mp4")
                let start = try #require(site.starts("new").first)
                #expect(start > 0)
                #expect(manager.tasks.count == 1)
                await manager.shutdown()
            }
        }
    }

    @Test func aFullQueueLeavesTheTaskAsItWas() async throws {
        try await with { site in
            let manager = site.manager { $0.queueLimit = 1 }
            let id = try await site.refused(manager)
            let other = try await manager.enqueue(site.request("other", "other.mp4"))
            try await manager.pause(other)
            // It may have ended before it was paused.
            guard manager.task(other)?.state == .paused else { return await manager.shutdown() }
            let error = await #expect(throws: DownloadError.self) { try await manager.enqueue(site.request("new")) }
            #expect(error?.code == .queueFull)
            #expect(manager.task(id)?.url.hasSuffix("/film/old") == true)
            try await manager.cancel(other)
            #expect(try await manager.enqueue(site.request("new")) == id)
            #expect(try await Bytes(Data(contentsOf: manager.file(of: id).url)) == Self.content)
            await manager.shutdown()
        }
    }

    @Test func anotherVersionStartsOver() async throws {
        try await with { site in
            let manager = site.manager()
            let id = try await site.refused(manager)
            site.tag.change { $0 = "\"2\"" }
            let new = try await manager.enqueue(site.request("new"))
            #expect(new == id)
            let file = try await manager.file(of: id)
            #expect(try Bytes(Data(contentsOf: file.url)) == Self.content)
            await manager.shutdown()
        }
    }

    @Test func aChecksumJoinsPartsWithOtherValidators() async throws {
        try await with { site in
            let manager = site.manager()
            _ = try await site.refused(manager)
            site.tag.change { $0 = "\"2\"" }
            var request = site.request("new")
            request.checksum = .sha256(try #require(RunningHash.digest(of: Self.content, .sha256)).hexadecimal)
            let file = try await manager.file(of: try await manager.enqueue(request))
            #expect(try Bytes(Data(contentsOf: file.url)) == Self.content)
            #expect(site.starts("new").allSatisfy { $0 > 0 })
            await manager.shutdown()
        }
    }

    @Test func aSignatureMakesNoOtherFile() {
        let old = DownloadRequest("https://a.test/film.mp4?id=7&X-Amz-Date=1&X-Amz-Signature=abc")
        for (url, isSame) in [
            ("https://a.test/film.mp4?id=7&X-Amz-Date=2&X-Amz-Signature=def", true),
            ("https://a.test/film.mp4?id=8&X-Amz-Date=2&X-Amz-Signature=def", false),
            ("https://b.test/film.mp4?id=7&X-Amz-Date=2&X-Amz-Signature=def", false),
            ("https://a.test/other.mp4?id=7&X-Amz-Date=2&X-Amz-Signature=def", false),
        ] {
            #expect(DownloadRequest(url).replaces(old, nil) == isSame, "\(url)")
        }
        let named = DownloadRequest("https://b.test/x", fileName: "film.mp4")
        #expect(named.replaces(old, nil))
        #expect(named.replaces(DownloadRequest("https://c.test/"), "film.mp4"))
        #expect(!named.replaces(DownloadRequest("https://c.test/"), "other.mp4"))
        #expect(!DownloadRequest("https://b.test/x", fileName: "film.mp4", folder: "sub").replaces(old, nil))
    }

    @Test func cancellingDropsThePart() async throws {
        try await with { site in
            let manager = site.manager()
            let id = try await site.refused(manager)
            #expect(try site.folder.hidden.contains { $0.hasSuffix(".part") })
            try await manager.cancel(id)
            #expect(try !site.folder.hidden.contains { $0.hasSuffix(".part") || $0.hasSuffix(".journal") })
            await manager.shutdown()
        }
    }

    @Test func aTaskThatFailedForGoodIsNotRetriedByARestart() async throws {
        try await with { site in
            let first = site.manager()
            let id = try await site.refused(first)
            await first.shutdown()
            let second = site.manager()
            let restored = try await second.restore()
            #expect(restored.map(\.state) == [.failed])
            #expect(restored.first?.error?.code == .rejected)
            #expect(restored.first?.error?.status == 403)
            #expect(restored.first?.bytes ?? 0 > 0)
            #expect(site.starts("old").count == 2)
            try await second.retry(id)
            await #expect(throws: DownloadError.self) { try await second.file(of: id) }
            #expect(site.starts("old").count == 3)
            await second.shutdown()
            let third = site.manager()
            try await third.restore(retryingFailed: true)
            await #expect(throws: DownloadError.self) { try await third.file(of: id) }
            #expect(site.starts("old").count == 4)
            await third.shutdown()
        }
    }

    @Test(arguments: [true, false]) func aTaskOfAnEarlierManagerIsOneTask(restoresFirst: Bool) async throws {
        try await with { site in
            let first = site.manager { $0.bytesPerSecond = 100_000 }
            let id = try await first.enqueue(site.request("new"))
            for try await progress in first.progress(of: id) where progress.bytes > 0 { break }
            await first.shutdown()
            let second = site.manager { $0.bytesPerSecond = restoresFirst ? 200_000 : nil }
            if restoresFirst { try await second.restore() }
            do throws(DownloadError) {
                let again = try await second.enqueue(site.request("new"))
                #expect(!restoresFirst)
                #expect(again == id)
            } catch {
                #expect(restoresFirst)
                #expect(error.code == .alreadyQueued)
                #expect(error.taskID == id)
                #expect(error.message.contains(id.uuidString.lowercased()))
            }
            if !restoresFirst { try await second.restore() }
            #expect(second.tasks.map(\.id) == [id])
            let file = try await second.file(of: id)
            #expect(try Bytes(Data(contentsOf: file.url)) == Self.content)
            await second.shutdown()
        }
    }

    @Test func headersAreAskedForAgain() async throws {
        try await with { site in
            var request = site.request("new")
            request.headers[.authorization] = "Bearer secret"
            let first = site.manager { $0.bytesPerSecond = 100_000 }
            let id = try await first.enqueue(request)
            for try await progress in first.progress(of: id) where progress.bytes > 0 { break }
            await first.shutdown()
            let journal = try Data(
                contentsOf: site.folder.url.appending(path: ".downloads/\(id.uuidString.lowercased()).journal"))
            #expect(!String(decoding: journal, as: UTF8.self).contains("secret"))
            let count = site.fixture.server.requests.count
            let second = site.manager()
            let restored = try await second.restore()
            #expect(restored.first?.state == .failed)
            #expect(restored.first?.error?.code == .missingHeaders)
            #expect(restored.first?.error?.message.contains("Authorization") == true)
            #expect(site.fixture.server.requests.count == count)
            await second.shutdown()
            let third = site.manager { $0.restoredHeaders = { _ in [.authorization: "Bearer again"] } }
            try await third.restore()
            let file = try await third.file(of: id)
            #expect(try Bytes(Data(contentsOf: file.url)) == Self.content)
            #expect(site.fixture.server.requests.last?.headers[.authorization] == "Bearer again")
            await third.shutdown()
        }
    }

    @Test func anUnknownNetworkIsNotUsed() async throws {
        try await with { site in
            var request = site.request("new")
            request.network = .notExpensive
            let blind = site.manager()
            let error = await #expect(throws: DownloadError.self) { try await blind.enqueue(request) }
            #expect(error?.code == .networkUnknown)
            await blind.shutdown()
            let network = NetworkStatusFeed(NetworkStatus(.reachable))
            let manager = site.manager { $0.network = network }
            let id = try await manager.enqueue(request)
            #expect(manager.task(id)?.state == .waiting)
            network.update(NetworkStatus(.reachable, isExpensive: false))
            _ = try await manager.file(of: id)
            request.network = .matching { _ in false }
            request.fileName = "other"
            let held = try await manager.enqueue(request)
            await manager.shutdown()
            let next = site.manager { $0.network = network }
            try await next.restore()
            #expect(next.task(held)?.state == .waiting)
            #expect(next.task(held)?.error?.code == .networkUnknown)
            await next.shutdown()
        }
    }
}

extension TemporaryFolder {
    /// The names in the folder of unfinished downloads.
    fileprivate var hidden: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path(".downloads")) }
    }
}
#endif
