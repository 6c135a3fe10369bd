#if Server
import Foundation
import NetCore
import NetTesting
import Synchronization
import TestSupport
import Testing

@testable import ClientTestSupport
@testable import NetHTTP

/// Downloads on a disk that fails, in virtual time.
@Suite(.timeLimit(.minutes(1))) struct DownloadDiskTests {
    private let request = DownloadRequest(
        "http://mock.test/file", fileName: "file", checksum: .sha256(MisbehavingServer.digest))
    private let stubs = [Stub(.get, "/file", .tagged).servingRanges()]

    private func isRight(_ disk: SimulatedDisk) -> Bool {
        disk.contents("file").map { Bytes($0) == MisbehavingServer.file } ?? false
    }

    @Test func aFullDiskIsNoEnd() async throws {
        let disk = SimulatedDisk()
        let transport = MockTransport(stubs)
        let clock = TestClock()
        let bench = DownloadBench(folder: try DownloadFolder.open("/simulated", disk: disk))
        let job = try bench.job(request)
        let errors = Locked<[DownloadError]>([])
        try await clock.run {
            let file = try await bench.run(job, virtual(clock, transport)) { _ in
            } onReport: { report in
                // Another program fills the disk meanwhile.
                if case .began(_, bytes: 0, _) = report { disk.state.withLock { $0.room = 50_000 } }
                guard case .noRoom(let error, _) = report else { return }
                errors.change { $0.append(error) }
                // The third check finds room.
                if errors.value.count == 3 { disk.state.withLock { $0.room = .max } }
            }
            #expect(file.path == "/simulated/file")
        }
        #expect(isRight(disk))
        #expect(errors.value.allSatisfy { $0.code == .insufficientDiskSpace })
        #expect(errors.value.count == 3)
        #expect(clock.now == .seconds(15))
        let ranges = transport.journal.requests.compactMap { $0.headers[.range] }
        #expect(ranges.first == "bytes=50000-")
    }

    @Test(arguments: [EIO, EROFS]) func everyCallMayFailOnce(number: CInt) async throws {
        let clock = TestClock()
        var call = 0
        while true {
            call += 1
            let disk = SimulatedDisk()
            let bench = DownloadBench(folder: try DownloadFolder.open("/simulated", disk: disk))
            let job = try bench.job(request)
            let before = disk.calls
            disk.fail(call: call, .failure(number))
            do throws(DownloadError) {
                _ = try await bench.run(job, virtual(clock, MockTransport(stubs)))
            } catch {
                #expect(error.code == .fileSystem, "call \(call): \(error)")
                #expect(error.systemError == number, "call \(call): \(error)")
                disk.repair()
                _ = try await bench.run(job, virtual(clock, MockTransport(stubs)))
            }
            #expect(isRight(disk), "call \(call)")
            // Every call has been tested.
            if disk.calls - before < call { break }
        }
        #expect(call > 10)
    }
}
#endif
