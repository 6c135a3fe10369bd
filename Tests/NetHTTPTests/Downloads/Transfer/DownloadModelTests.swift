#if Server
import HTTPTypes
import NetCore
import NetCrypto
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport
@testable import NetHTTP

/// Downloads from servers with random behavior, paused at random: the right file, or an error and then the right file.
@Suite(.timeLimit(.minutes(1))) struct DownloadModelTests {
    private static let file = BytePattern.bytes(from: 5, count: 3 << 20)
    private static let tagged = StubResponse.bytes(file).header(.eTag, "\"1\"")
    private static let digest = DownloadChecksum(.sha256, digest: RunningHash.digest(of: file, .sha256) ?? Bytes())

    /// A server that breaks off, rejects, ignores ranges and sends less than requested.
    private static func stub(_ random: NetRandom) -> Stub {
        Stub(.get, "/file") { request in
            var random = random
            let answer = tagged.part(for: request)
            let drop = Int64.random(in: 0...(2 << 20), using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0: return .status(.serviceUnavailable)
            case 1: return tagged
            case 2: return .dropped()
            case 3: return tagged.dropping(.afterBodyBytes(drop))
            case 4 where request.headers[.range] != nil: return .status(.rangeNotSatisfiable)
            case 5..<9: return answer.dropping(.afterBodyBytes(drop), form: .reset)
            default: return answer
            }
        }
    }

    @Test(arguments: 0..<24) func theFileIsAlwaysRight(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed)).netRandom
        let ranges = Int.random(in: 1...5, using: &random)
        let clock = TestClock()
        let disk = SimulatedDisk()
        let bench = DownloadBench(folder: try DownloadFolder.open("/simulated", disk: disk))
        var request = DownloadRequest("http://mock.test/file", fileName: "file", ranges: ranges)
        if Bool.random(using: &random) { request.checksum = Self.digest }
        let job = try bench.job(request)
        let stub = Self.stub(random)
        let pauses = (0..<3).map { _ in Int64.random(in: 0...(3 << 20), using: &random) }
        var runs = 0
        while disk.contents("file") == nil, runs < 50 {
            let pause = runs < pauses.count ? pauses[runs] : .max
            runs += 1
            let client = virtual(clock, MockTransport([stub]))
            let error: DownloadError? = try await clock.run { await bench.pause(job, at: pause, client) }
            guard let error else { break }
            let codes: [DownloadError.Code] = [.cancelled, .retriesExhausted, .changed]
            #expect(codes.contains(error.code), "\(error)")
        }
        #expect(disk.contents("file").map { Bytes($0) == Self.file } == true, "\(runs) runs")
    }
}
#endif
