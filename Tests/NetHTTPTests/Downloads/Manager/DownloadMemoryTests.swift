#if os(Linux)
import Foundation
import Logging
import NetCore
import NetTesting
import Testing

@testable import ClientTestSupport
@testable import NetHTTP

/// The cost of a download that only waits.
@Suite(.timeLimit(.minutes(2))) struct DownloadMemoryTests {
    /// Four times the measured value: 1,880 bytes (Linux x86_64, debug; 1,828 to 1,880 in four runs).
    private static let bytesPerTask = 7_520
    private static let count = 4000

    /// In a separate process, whose memory no other test changes.
    @Test func thousandsOfDownloadsThatWaitTakeLittleMemoryEach() async throws {
        let child = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            do {
                try await DownloadMemoryTests().run()
            } catch {
                ThisProcess.fail("\(error)")
            }
        }
        #expect(String(decoding: child?.standardErrorContent ?? [], as: UTF8.self) == "")
    }

    private func run() async throws {
        let manager = manager()
        try await add(0..<100, to: manager)
        let begin = ThisProcess.residentBytes
        try await add(100..<(Self.count + 100), to: manager)
        await manager.pauseAll()
        let full = ThisProcess.residentBytes
        let each = (full - begin) / Self.count
        if each > Self.bytesPerTask { ThisProcess.fail("each download takes \(each) bytes") }
        // A round copies the list of tasks (900 bytes per task); the allocator keeps up to four of these lists. If they
        // were kept by mistake, those of 20 rounds would be 18,000 bytes per task.
        for _ in 0..<20 {
            await manager.resumeAll()
            await manager.pauseAll()
        }
        let more = (ThisProcess.residentBytes - full) / Self.count
        if more > Self.bytesPerTask { ThisProcess.fail("each download takes \(more) bytes more after a while") }
        if manager.tasks.count != Self.count + 100 { ThisProcess.fail("\(manager.tasks.count) downloads are there") }
    }

    private func add(_ numbers: Range<Int>, to manager: DownloadManager) async throws {
        for number in numbers {
            try await manager.enqueue(DownloadRequest("https://files.example.com/archive/\(number).tar.gz"))
        }
    }

    /// A manager without stored journals: only its own memory is measured.
    private func manager() -> DownloadManager {
        var configuration = DownloadManager.Configuration(queueLimit: 2 * Self.count)
        configuration.logger = Logger(label: "none") { _ in SwiftLogNoOpLogHandler() }
        let engine = DownloadEngine(storage: NoStorage(), runner: FakeRunner())
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport())
        return DownloadManager(client: client, configuration: configuration) { _ throws(DownloadError) in engine }
    }

    private struct NoStorage: DownloadStoring {
        func freeBytes() async throws(DownloadError) -> Int64 { .max }
        func create(_ identity: DownloadIdentity) async throws(DownloadError) {}
        func change(_ identity: DownloadIdentity) async throws(DownloadError) {}
        func remove(_ id: UUID) async throws(DownloadError) {}
        func restore() async throws(DownloadError) -> [RestoredDownload] { [] }
        func close() async {}
    }
}
#endif
