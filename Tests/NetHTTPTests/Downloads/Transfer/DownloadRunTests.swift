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

/// One download, from its first request to the finished file.
@Suite(.timeLimit(.minutes(1))) struct DownloadRunTests {
    private static let file = MisbehavingServer.file
    private let tagged = StubResponse.tagged

    /// Runs `body` with a server of the file, or of other stubs.
    private func run(
        _ stubs: [Stub], _ setup: Fixture.Setup = .standard,
        _ body: (Fixture, DownloadBench, String) async throws -> Void
    ) async throws {
        try await Fixture.run(stubs, with: setup) { fixture in
            try await DownloadBench.with { bench in
                try await body(fixture, bench, "\(fixture.server.baseURL)/file")
            }
        }
    }

    private func ranges(_ fixture: Fixture) -> [String?] { fixture.server.journal.requests.map { $0.headers[.range] } }

    @Test func aFileIsLoadedOnce() async throws {
        let response = tagged.header(.contentDisposition, "attachment; filename=\"one.bin\"")
            .header(.cacheControl, "max-age=1000")
        let setup = Fixture.Setup.client { $0.middleware = [CacheMiddleware(), RetryMiddleware()] }
        try await run([Stub(.get, "/file", response)], setup) { fixture, bench, url in
            for name in ["one.bin", "one (1).bin"] {
                let file = try await bench.load(DownloadRequest(url), fixture.client)
                #expect(file.name == name)
                #expect(file.bytes == 100_000)
                #expect(file.isNew)
                #expect(try bench.bytes(file) == Self.file)
            }
            // The cache isn't used, and stores nothing.
            #expect(fixture.server.journal.requests.count == 2)
            #expect(fixture.server.journal.requests.allSatisfy { $0.headers[.acceptEncoding] == "identity" })
            #expect(try bench.parts == [])
            let names = bench.reports.value.compactMap {
                if case .began(100_000, 0, let name) = $0 { name } else { nil }
            }
            #expect(names == ["one.bin", "one.bin"])
            guard case .bytes(100_000)? = bench.reports.value.last else {
                Issue.record("the last report isn't of all bytes")
                return
            }
        }
    }

    @Test func anEmptyFileIsOne() async throws {
        try await run([Stub(.get, "/file", .bytes([]))]) { fixture, bench, url in
            let file = try await bench.load(DownloadRequest(url), fixture.client)
            #expect(file.bytes == 0)
            #expect(try bench.bytes(file) == Bytes())
        }
    }

    @Test func aPauseKeepsWhatHasCome() async throws {
        let first = tagged.dropping(.afterBodyBytes(40_000), form: .stall)
        let stubs = [Stub(.get, "/file", first).times(1), Stub(.get, "/file", tagged).servingRanges()]
        try await run(stubs) { fixture, bench, url in
            let job = try bench.job(DownloadRequest(url, checksum: .sha256(MisbehavingServer.digest)))
            let error = await bench.pause(job, at: 40_000, fixture.client)
            #expect(error?.code == .cancelled)
            #expect(error?.url == url)
            #expect(try bench.names == [])
            #expect(try bench.parts.count == 2)
            let file = try await bench.run(job, fixture.client)
            #expect(try bench.bytes(file) == Self.file)
            #expect(ranges(fixture) == [nil, "bytes=40000-"])
            #expect(fixture.server.journal.requests.last?.headers[.ifRange] == "\"1\"")
        }
    }

    @Test func aChangedFileStartsOverAfterAPause() async throws {
        let first = tagged.dropping(.afterBodyBytes(40_000), form: .stall)
        let stubs = [Stub(.get, "/file", first).times(1), Stub(.get, "/file", StubResponse.retagged).servingRanges()]
        try await run(stubs) { fixture, bench, url in
            let job = try bench.job(DownloadRequest(url))
            _ = await bench.pause(job, at: 40_000, fixture.client)
            let file = try await bench.run(job, fixture.client)
            #expect(try bench.bytes(file) == MisbehavingServer.changed)
        }
    }

    @Test func aCompletePartIsFinishedWithoutARequest() async throws {
        try await run([Stub(.get, "/file", tagged)]) { fixture, bench, url in
            // The move fails, because a file with that name exists.
            let job = try bench.job(DownloadRequest(url, existing: .fail))
            try Data().write(to: URL(fileURLWithPath: bench.folder.path + "/file.bin"))
            try Data().write(to: URL(fileURLWithPath: bench.folder.path + "/file"))
            let error = await #expect(throws: DownloadError.self) { try await bench.run(job, fixture.client) }
            #expect(error?.code == .fileExists)
            for name in try bench.names { try FileManager.default.removeItem(atPath: bench.folder.path + "/" + name) }
            let file = try await bench.run(job, fixture.client)
            #expect(try bench.bytes(file) == Self.file)
            #expect(fixture.server.journal.requests.count == 1)
        }
    }

    @Test func anExistingFileCanBeReplaced() async throws {
        try await run([Stub(.get, "/file", tagged)]) { fixture, bench, url in
            for _ in 0..<2 {
                let request = DownloadRequest(url, fileName: "same", existing: .replace)
                let file = try await bench.load(request, fixture.client)
                #expect(file.name == "same")
            }
            #expect(try bench.names == ["same"])
        }
    }

    @Test func theServerIsAskedForAnotherVersion() async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let stub = Stub(.get, "/file", tagged.header(.lastModified, date)).servingRanges()
        try await run([stub]) { fixture, bench, url in
            let request = DownloadRequest(url, fileName: "same", existing: .ask, keepsServerDate: true)
            let first = try await bench.load(request, fixture.client)
            let second = try await bench.load(request, fixture.client)
            #expect(first.isNew)
            #expect(!second.isNew)
            #expect(first.path == second.path)
            #expect(second.bytes == 100_000)
            let requests = fixture.server.journal.requests
            #expect(requests.map { $0.headers[.ifModifiedSince] } == [nil, nil])
            #expect(requests.first?.headers[.ifNoneMatch] == nil)
            #expect(requests.last?.headers[.ifNoneMatch] != nil)
            #expect(try bench.parts == [])
            let values = try first.url.resourceValues(forKeys: [.contentModificationDateKey])
            #expect(values.contentModificationDate == HTTPDate.date(from: date))
        }
    }

    @Test(arguments: ["Repr-Digest", "Digest"]) func theServersDigestIsCompared(_ name: String) async throws {
        let digest = try #require(DownloadChecksum.sha256(MisbehavingServer.digest)?.digest)
        let text = Base64.encode(digest)
        let value = name == "Digest" ? "MD5=AAAA,SHA-256=\(text)" : "sha-256=:\(text):"
        let field = try #require(HTTPField.Name(name))
        let stubs = [
            Stub(.get, "/file", tagged.header(field, value)), Stub(.get, "/other", .retagged.header(field, value)),
        ]
        try await run(stubs) { fixture, bench, url in
            let file = try await bench.load(DownloadRequest(url), fixture.client)
            #expect(file.bytes == 100_000)
            let other = DownloadRequest("\(fixture.server.baseURL)/other")
            let error = await #expect(throws: DownloadError.self) { try await bench.load(other, fixture.client) }
            #expect(error?.code == .checksumMismatch)
            #expect(error?.url == other.url)
            // A second attempt begins with the first byte.
            #expect(ranges(fixture) == [nil, nil])
        }
    }

    @Test func anExpiredLinkIsRenewed() async throws {
        let first = tagged.dropping(.afterBodyBytes(40_000))
        let stubs = [
            Stub(.get, "/file", first).times(1), Stub(.get, "/file", .text("expired", status: .forbidden)),
            Stub(.get, "/new", tagged).servingRanges(),
        ]
        try await run(stubs) { fixture, bench, url in
            let statuses = Locked<[Int]>([])
            let new = "\(fixture.server.baseURL)/new"
            let file = try await bench.load(DownloadRequest(url), fixture.client) {
                $0.renewedLink = { job, status in
                    statuses.change { $0.append(status) }
                    return job.request.url == url ? DownloadRequest(new) : nil
                }
            }
            #expect(try bench.bytes(file) == Self.file)
            #expect(statuses.value == [403])
            #expect(ranges(fixture) == [nil, "bytes=40000-", "bytes=40000-"])
        }
    }

    @Test func linksAreRenewedAsLongAsTheyBringBytes() async throws {
        // Each link returns a tenth of the file, then it has expired.
        let count = Locked(0)
        let stub = Stub(.get, "/{path*}") { [tagged] request in
            var isFresh = false
            count.change {
                $0 += 1
                isFresh = $0 % 2 == 0
            }
            return isFresh
                ? tagged.part(for: request).dropping(.afterBodyBytes(10_000)) : .text("expired", status: .forbidden)
        }
        try await run([stub]) { fixture, bench, url in
            let file = try await bench.load(DownloadRequest(url), fixture.client) {
                $0.renewedLink = { job, _ in job.request }
            }
            #expect(try bench.bytes(file) == Self.file)
        }
    }

    @Test func linksAreNotRenewedForEver() async throws {
        try await run([Stub(.get, "/file", .text("expired", status: .forbidden))]) { fixture, bench, url in
            let error = await #expect(throws: DownloadError.self) {
                try await bench.load(DownloadRequest(url), fixture.client) {
                    $0.renewedLink = { job, _ in job.request }
                }
            }
            #expect(error?.code == .rejected)
            #expect(error?.status == 403)
            #expect(fixture.server.journal.requests.count == 1 + DownloadTransfer.maximumRenewals)
        }
    }

    @Test func aMirrorGoesOnWhereTheServerHasFailed() async throws {
        let first = tagged.dropping(.afterBodyBytes(40_000))
        let stubs = [
            Stub(.get, "/file", first).times(1), Stub(.get, "/file", .text("gone", status: .gone)),
            Stub(.get, "/mirror", tagged.header(.eTag, "\"mirror\"")).servingRanges(),
        ]
        try await run(stubs) { fixture, bench, url in
            var request = DownloadRequest(url, mirrors: ["\(fixture.server.baseURL)/mirror"])
            request.checksum = .sha256(MisbehavingServer.digest)
            let file = try await bench.load(request, fixture.client)
            #expect(try bench.bytes(file) == Self.file)
            #expect(ranges(fixture) == [nil, "bytes=40000-", "bytes=40000-"])
            #expect(fixture.server.journal.requests.last?.headers[.ifRange] == nil)
        }
    }

    @Test func withoutAChecksumAMirrorBeginsAnew() async throws {
        let first = tagged.dropping(.afterBodyBytes(40_000))
        let stubs = [
            Stub(.get, "/file", first).times(1), Stub(.get, "/file", .text("gone", status: .gone)),
            Stub(.get, "/mirror", tagged).servingRanges(),
        ]
        try await run(stubs) { fixture, bench, url in
            let request = DownloadRequest(url, mirrors: ["\(fixture.server.baseURL)/mirror"])
            let file = try await bench.load(request, fixture.client)
            #expect(try bench.bytes(file) == Self.file)
            #expect(ranges(fixture) == [nil, "bytes=40000-", nil])
        }
    }

    @Test func aLinkFieldNamesMirrors() async throws {
        let digest = try #require(DownloadChecksum.sha256(MisbehavingServer.digest)?.digest)
        let first = tagged.dropping(.afterBodyBytes(40_000))
            .header("Digest", "sha-256=\(Base64.encode(digest))")
            .header(.link, "</late>; rel=duplicate; pri=9, </mirror>; rel=duplicate; pri=1, </no>; rel=describedby")
        let stubs = [
            Stub(.get, "/file", first).times(1), Stub(.get, "/file", .text("gone", status: .gone)),
            Stub(.get, "/mirror", tagged).servingRanges(),
        ]
        try await run(stubs) { fixture, bench, url in
            let file = try await bench.load(DownloadRequest(url), fixture.client)
            #expect(try bench.bytes(file) == Self.file)
            #expect(fixture.server.journal.requests.map(\.path) == ["/file", "/file", "/mirror"])
        }
    }

    @Test func aFullDiskIsWaitedFor() async throws {
        try await run([Stub(.get, "/file", tagged)]) { fixture, bench, url in
            let job = try bench.job(DownloadRequest(url))
            let (signals, signal) = AsyncStream.makeStream(of: DownloadError.self, bufferingPolicy: .bufferingNewest(1))
            let task = Task { () throws(DownloadError) -> DownloadedFile in
                try await bench.run(job, fixture.client) {
                    $0.keepsFree = .max
                } onReport: { report in
                    if case .noRoom(let error, _) = report { signal.yield(error) }
                }
            }
            for await error in signals {
                #expect(error.code == .insufficientDiskSpace)
                #expect(error.missingBytes ?? 0 > 0)
                break
            }
            task.cancel()
            let error = await #expect(throws: DownloadError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(fixture.server.journal.requests.isEmpty)
        }
    }

    @Test func theLimitIsKept() async throws {
        try await run([Stub(.get, "/file", .bytes(BytePattern.bytes(from: 0, count: 400_000)))]) {
            fixture, bench, url in
            let start = ContinuousClock.now
            let file = try await bench.load(DownloadRequest(url), fixture.client) { $0.bytesPerSecond = 800_000 }
            let time = ContinuousClock.now - start
            #expect(file.bytes == 400_000)
            #expect(time > .milliseconds(430))
            #expect(time < .seconds(5))
        }
    }

    @Test func aURLThatIsNoneIsAnError() async throws {
        try await run([]) { fixture, bench, _ in
            let error = await #expect(throws: DownloadError.self) {
                try await bench.load(DownloadRequest("ftp://example.com/file"), fixture.client)
            }
            #expect(error?.code == .invalidURL)
        }
    }
}
#endif
