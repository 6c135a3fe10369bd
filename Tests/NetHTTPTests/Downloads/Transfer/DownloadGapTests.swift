#if Server
import Foundation
import NetCore
import NetTestServer
import NetTesting
import Testing

@testable import ClientTestSupport
@testable import NetHTTP

/// Downloads whose part files have gaps, such as after stopping several concurrent ranges.
struct DownloadGapTests {
    @Test(arguments: [
        ([0..<20_000, 60_000..<100_000], ["bytes=20000-59999"]), ([0..<20_000], ["bytes=20000-"]),
        ([0..<20_000, 30_000..<60_000], ["bytes=20000-29999", "bytes=60000-99999"]),
        ([0..<20_000, 30_000..<60_000, 70_000..<100_000], ["bytes=20000-29999", "bytes=60000-69999"]),
    ])
    func onlyWhatIsMissingIsAskedFor(_ present: [Range<Int>], _ asked: [String]) async throws {
        let stub = Stub(.get, "/file", .tagged).servingRanges()
        try await Fixture.run([stub]) { fixture in
            try await DownloadBench.with { bench in
                let job = try bench.job(DownloadRequest("\(fixture.server.baseURL)/file"))
                let part = try bench.folder.part(job.id, clock: .system)
                try part.begin(
                    DownloadVersion(
                        validators: DownloadValidators(eTag: "\"1\""), length: Int64(MisbehavingServer.length)))
                for range in present {
                    try part.write(MisbehavingServer.file[range], at: Int64(range.lowerBound))
                }
                try part.close()
                let file = try await bench.run(job, fixture.client)
                #expect(try bench.bytes(file) == MisbehavingServer.file)
                #expect(fixture.server.journal.requests.map { $0.headers[.range] } == asked)
            }
        }
    }
}
#endif
