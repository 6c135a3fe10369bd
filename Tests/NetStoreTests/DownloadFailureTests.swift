#if Server
import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@testable import NetStore

/// The code with which a failed download is stored.
@Suite(.timeLimit(.minutes(5)))
struct DownloadFailureTests {
    @Test func aFailedDownloadHasItsOwnCode() async throws {
        let folder = try TemporaryFolder()
        let server = try await TestServer.start([
            Stub(.get, "/gone", StubResponse(status: .notFound)),
            Stub(.get, "/broken", StubResponse(status: .internalServerError)),
            Stub(.get, "/file", StubResponse.text("not what was expected")),
        ])
        let store = try ActivityStore(at: folder.file())
        let client = HTTPClient(baseURL: server.baseURL) { $0.listeners = [store] }
        let manager = DownloadManager(
            client: client,
            configuration: .init(
                folder: folder.file("files"), keepsFree: 0,
                retry: RetryPolicy(maximumAttempts: 2, backoff: .constant(.milliseconds(1))), flushesAtEnd: false))
        let checksum = try #require(DownloadChecksum("sha256=" + String(repeating: "0", count: 64)))
        let requests = [
            ("rejected", DownloadRequest("\(server.baseURL)/gone", fileName: "a")),
            ("retriesExhausted", DownloadRequest("\(server.baseURL)/broken", fileName: "b")),
            ("checksumMismatch", DownloadRequest("\(server.baseURL)/file", fileName: "c", checksum: checksum)),
        ]
        for (code, request) in requests {
            let id = try await manager.enqueue(request)
            await #expect(throws: DownloadError.self) { try await manager.file(of: id) }
            try await store.flush()
            let found = try await store.items(matching: .job & .error(code))
            #expect(found.map(\.uid) == [CallID(id)], "\(code)")
            #expect(found.map(\.failure?.code) == [code])
            #expect(found.map(\.outcome) == [.failed])
        }
        #expect(try await store.count(matching: .job & .error("unknown")) == 0)
        await manager.shutdown()
        try await store.flush()
        let statistics = try #require(try await store.statistics(by: .all).first)
        #expect(statistics.jobs == 3)
        // Three jobs, and the calls to which the server didn't respond with a file.
        #expect(statistics.failed + statistics.rejected >= 3)
        try await store.close()
        await client.shutdown()
        await server.stop()
    }
}
#endif
