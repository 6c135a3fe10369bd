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

/// Several concurrent ranges of one file.
@Suite(.timeLimit(.minutes(1))) struct DownloadRangesTests {
    private static let length = 4 << 20
    private static let file = BytePattern.bytes(from: 3, count: length)
    private static let tagged = StubResponse.bytes(file).header(.eTag, "\"1\"")

    /// Runs `body` with a server that is slow enough for several ranges to begin.
    private func run(
        _ stubs: [Stub], _ body: (Fixture, DownloadBench, String) async throws -> Void
    ) async throws {
        try await Fixture.run(stubs) { fixture in
            try await DownloadBench.with { bench in
                try await body(fixture, bench, "\(fixture.server.baseURL)/file")
            }
        }
    }

    private static func slow(
        _ response: StubResponse, for request: StubRequest, rate: Int = 8 << 20
    ) -> StubResponse {
        response.part(for: request).throttled(to: rate)
    }

    private func counts(_ bench: DownloadBench) -> [Int] {
        bench.reports.value.compactMap { if case .ranges(let count) = $0 { count } else { nil } }
    }

    @Test func rangesAreLoadedAtOnceAndJoined() async throws {
        let digest = try #require(RunningHash.digest(of: Self.file, .sha256))
        try await run([Stub(.get, "/file") { Self.slow(Self.tagged, for: $0, rate: 1 << 20) }]) { fixture, bench, url in
            let request = DownloadRequest(url, checksum: .sha256(digest.hexadecimal), ranges: 4)
            let file = try await bench.load(request, fixture.client)
            #expect(try bench.bytes(file) == Self.file)
            #expect(counts(bench).max() == 4)
            let requests = fixture.server.journal.requests
            #expect(requests.count >= 4)
            #expect(requests.dropFirst().allSatisfy { $0.headers[.ifRange] == "\"1\"" })
        }
    }

    @Test func aServerWithoutRangesIsAskedForOne() async throws {
        try await run([Stub(.get, "/file") { _ in Self.tagged.throttled(to: 8 << 20) }]) { fixture, bench, url in
            let file = try await bench.load(DownloadRequest(url, ranges: 4), fixture.client)
            #expect(try bench.bytes(file) == Self.file)
            #expect(fixture.server.journal.requests.count == 2)
            #expect(counts(bench).last == 1)
        }
    }

    @Test(arguments: [429, 503]) func aServerThatRefusesMoreGetsOne(_ status: Int) async throws {
        let stub = Stub(.get, "/file") { request in
            let isRest = request.headers[.range] != nil
            return isRest ? .status(.init(code: status)) : Self.tagged.throttled(to: 8 << 20)
        }
        try await run([stub]) { fixture, bench, url in
            let file = try await bench.load(DownloadRequest(url, ranges: 4), fixture.client)
            #expect(try bench.bytes(file) == Self.file)
            #expect(fixture.server.journal.requests.count == 2)
        }
    }

    @Test func aRangeThatBreaksOffIsLoadedByTheOthers() async throws {
        let count = Locked(0)
        let stub = Stub(.get, "/file") { request in
            let answer = Self.slow(Self.tagged, for: request)
            var isSecond = false
            count.change {
                $0 += 1
                isSecond = $0 == 2
            }
            return isSecond ? answer.dropping(.afterBodyBytes(100_000)) : answer
        }
        try await run([stub]) { fixture, bench, url in
            let file = try await bench.load(DownloadRequest(url, ranges: 3), fixture.client)
            #expect(try bench.bytes(file) == Self.file)
        }
    }

    @Test func rangesOfAnotherFileAreNotJoined() async throws {
        let changed = BytePattern.bytes(from: 9, count: Self.length)
        let stub = Stub(.get, "/file") { request in
            guard request.headers[.range] != nil else { return Self.tagged.throttled(to: 8 << 20) }
            var unconditional = request
            unconditional.headers[.ifRange] = nil
            return StubResponse.bytes(changed).header(.eTag, "\"2\"").part(for: unconditional)
        }
        try await run([stub]) { fixture, bench, url in
            let file = try await bench.load(DownloadRequest(url, ranges: 4), fixture.client)
            #expect(try bench.bytes(file) == Self.file)
        }
    }

    @Test func wrongRangesAreLoadedAnewOnce() async throws {
        let other = try #require(RunningHash.digest(of: Bytes(), .sha256))
        try await run([Stub(.get, "/file") { Self.slow(Self.tagged, for: $0) }]) { fixture, bench, url in
            let request = DownloadRequest(url, checksum: .sha256(other.hexadecimal), ranges: 4)
            let error = await #expect(throws: DownloadError.self) { try await bench.load(request, fixture.client) }
            #expect(error?.code == .checksumMismatch)
            let whole = fixture.server.journal.requests.filter { $0.headers[.range] == nil }
            #expect(whole.count == 2)
            #expect(fixture.server.journal.requests.last?.headers[.range] == nil)
        }
    }

    @Test func withoutAValidatorOneRangeIsLoaded() async throws {
        let stub = Stub(.get, "/file") { Self.slow(.bytes(Self.file), for: $0) }
        try await run([stub]) { fixture, bench, url in
            _ = try await bench.load(DownloadRequest(url, ranges: 4), fixture.client)
            #expect(fixture.server.journal.requests.count == 1)
        }
    }

    @Test func mirrorsShareTheRanges() async throws {
        let digest = try #require(RunningHash.digest(of: Self.file, .sha256))
        let stubs = [
            Stub(.get, "/file") { Self.slow(Self.tagged, for: $0) },
            Stub(.get, "/mirror") { Self.slow(Self.tagged.header(.eTag, "\"mirror\""), for: $0) },
            Stub(.get, "/short") { Self.slow(.bytes(Self.file.prefix(100)), for: $0) },
        ]
        try await run(stubs) { fixture, bench, url in
            let mirrors = ["short", "mirror"].map { "\(fixture.server.baseURL)/\($0)" }
            let request = DownloadRequest(
                url, checksum: .sha256(digest.hexadecimal), mirrors: mirrors, ranges: 4)
            let file = try await bench.load(request, fixture.client)
            #expect(try bench.bytes(file) == Self.file)
            let paths = fixture.server.journal.requests.map(\.path)
            #expect(paths.contains("/mirror"))
            #expect(paths.filter { $0 == "/short" }.count <= 1)
        }
    }

    @Test func aPauseOfSeveralRangesKeepsAll() async throws {
        try await run([Stub(.get, "/file") { Self.slow(Self.tagged, for: $0, rate: 1 << 20) }]) { fixture, bench, url in
            let job = try bench.job(DownloadRequest(url, ranges: 4))
            let error = await bench.pause(job, at: 2 << 20, fixture.client)
            #expect(error?.code == .cancelled)
            let kept = try bench.folder.part(job.id, clock: .system).received
            #expect(kept.count >= 2 << 20)
            #expect(kept.ranges.count > 1)
            let before = fixture.server.journal.requests.count
            let file = try await bench.run(job, fixture.client)
            #expect(try bench.bytes(file) == Self.file)
            #expect(fixture.server.journal.requests.dropFirst(before).allSatisfy { $0.headers[.range] != nil })
        }
    }

    /// Streams of one HTTP/2 connection share its speed.
    @Test(.enabled(if: NginxSite.program != nil)) func extraRangesHaveConnectionsOfTheirOwn() async throws {
        struct Versions: Middleware {
            let seen: Locked<[String]>

            func intercept(
                _ request: PreparedRequest, context: CallContext, next: Next
            ) async throws -> StreamedResponse {
                let response = try await next(request, context)
                seen.change { $0.append(response.head.version) }
                return response
            }
        }
        try await TemporaryFolder.with { folder in
            try Data(Self.file).write(to: folder.url.appending(path: "file"))
            let location = "root \(folder.url.path()); limit_rate_after 256k; limit_rate 4m;"
            try await NginxSite.withHTTP2(location) { client, _ in
                try await DownloadBench.with { bench in
                    let versions = Versions(seen: Locked([]))
                    let client = client.with { $0.middleware = [versions] }
                    let base = try #require(client.configuration.baseURL)
                    let file = try await bench.load(DownloadRequest("\(base)/file", ranges: 4), client)
                    #expect(try bench.bytes(file) == Self.file)
                    #expect(versions.seen.value.first == "2")
                    #expect(versions.seen.value.dropFirst().contains("1.1"))
                }
            }
        }
    }
}
#endif
