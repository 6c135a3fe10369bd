#if Server
import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@testable import NetStore

/// The contents of a store that listens to a client, after a download.
@Suite(.timeLimit(.minutes(5)))
struct DownloadJobTests {
    @Test func aDownloadIsAJobWithTheCallsThatWereMadeForIt() async throws {
        let folder = try TemporaryFolder()
        let content = Bytes((0..<200_000).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8)) })
        // Half of the file, a broken connection, and then the requested range.
        let whole = StubResponse.bytes(content).header(.eTag, "\"1\"")
        let broken = Stub(.get, "/file", whole.dropping(.afterBodyBytes(100_000))).times(1)
        let server = try await TestServer.start([broken, Stub(.get, "/file", whole).servingRanges()])
        let store = try ActivityStore(at: folder.file())
        let client = HTTPClient(baseURL: server.baseURL) { $0.listeners = [store] }
        let manager = DownloadManager(
            client: client,
            configuration: .init(
                folder: folder.file("files"), keepsFree: 0,
                retry: RetryPolicy(maximumAttempts: 3, backoff: .constant(.milliseconds(1))), flushesAtEnd: false))
        let id = try await manager.enqueue(
            DownloadRequest("\(server.baseURL)/file?api_key=s3cret", fileName: "a.bin"))
        let file = try await manager.file(of: id)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == Data(content))
        await manager.shutdown()
        try await store.flush()

        let jobs = try await store.items(matching: .job)
        let job = try #require(jobs.first)
        #expect(jobs.count == 1)
        #expect(job.outcome == .completed)
        #expect(job.attempts == 2)
        #expect(job.failure == nil)
        #expect(job.name == "a.bin")
        #expect(job.detail == "download, completed")
        #expect(job.responseBytes == 200_000)
        #expect(job.url?.contains("/file?api_key=") == true)
        #expect(job.url?.contains("s3cret") == false)
        let detail = try #require(try await store.item(uid: job.uid, kind: .job))
        #expect(detail.item == job)
        #expect(detail.owned.map(\.kind) == [.call, .call])
        #expect(detail.owned.map(\.outcome) == [.failed, .completed])
        #expect(detail.owned.map(\.status) == [200, 206])
        #expect(detail.owned.allSatisfy { $0.owner == job.uid && $0.method == "GET" })
        #expect(try await store.items(matching: !.job).map(\.id) == detail.owned.map(\.id).reversed())
        #expect(try await store.itemsUnderWay().isEmpty)
        #expect(try await store.statistics(by: .all).map(\.calls) == [2])
        try await store.close()
        await client.shutdown()
        await server.stop()
    }
}
#endif
