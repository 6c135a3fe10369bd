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

/// Downloads whose file is in its place already.
struct ExistingFileTests {
    /// A version of a file on a server.
    struct Version: Sendable {
        var bytes = BytePattern.bytes(from: 1, count: 200_000)
        var tag: String? = "\"1\""
        var date: String? = "Sun, 06 Nov 1994 08:49:37 GMT"

        var response: StubResponse {
            var response = StubResponse.bytes(bytes)
            if let tag { response = response.header(.eTag, tag) }
            if let date { response = response.header(.lastModified, date) }
            return response
        }
    }

    /// A server with one file that changes, and a folder that outlives its managers.
    private struct Site {
        let fixture: Fixture
        let version: Locked<Version>
        let folder: TemporaryFolder

        func load(_ change: (inout DownloadRequest) -> Void = { $0.existing = .ask }) async throws -> DownloadedFile {
            var request = DownloadRequest("\(fixture.server.baseURL)/file")
            change(&request)
            // Each time another manager, as in another process.
            let manager = DownloadManager(
                client: fixture.client, configuration: .init(folder: folder.url.path, keepsFree: 0, logDetail: .none))
            let result: Result<DownloadedFile, any Error>
            do {
                result = .success(try await manager.file(of: try await manager.enqueue(request)))
            } catch {
                result = .failure(error)
            }
            await manager.shutdown()
            return try result.get()
        }

        func bytes(_ name: String = "file") throws -> Bytes {
            Bytes(try Data(contentsOf: folder.url.appending(path: name)))
        }
    }

    /// - Parameter evaluates: True for a server that supports conditions, and returns 304 for any date that isn't before
    ///   the file's.
    private func with(evaluates: Bool = true, _ body: (Site) async throws -> Void) async throws {
        let version = Locked(Version())
        let stub = Stub(.get, "/file") { request in
            let now = version.value
            if evaluates, let tag = request.headers[.ifNoneMatch], tag == now.tag { return .status(.notModified) }
            if evaluates, request.headers[.ifModifiedSince] != nil { return .status(.notModified) }
            return now.response
        }
        try await TemporaryFolder.with { folder in
            try await Fixture.run([stub.optional()]) { fixture in
                try await body(Site(fixture: fixture, version: version, folder: folder))
            }
        }
    }

    @Test(arguments: [true, false], ["\"1\"", "W/\"1\"", nil]) func aFileThatIsCurrentIsNotLoadedAgain(
        evaluates: Bool, tag: String?
    ) async throws {
        try await with(evaluates: evaluates) { site in
            site.version.change { $0.tag = tag }
            let first = try await site.load()
            #expect(first.isNew)
            for _ in 0..<2 {
                let again = try await site.load()
                #expect(!again.isNew)
                #expect(again.path == first.path)
                #expect(again.bytes == 200_000)
            }
            #expect(try site.bytes() == site.version.value.bytes)
        }
    }

    /// Each is another version, also those with an older date, for which servers return 304.
    @Test(
        arguments: [
            ("\"2\"", "Sun, 06 Nov 1994 08:49:37 GMT"), ("\"2\"", "Sat, 01 Jan 1994 00:00:00 GMT"),
            (nil, "Sat, 01 Jan 1994 00:00:00 GMT"), (nil, "Sun, 06 Nov 2044 08:49:37 GMT"), (nil, nil),
        ] as [(String?, String?)]) func anotherVersionIsLoaded(_ tag: String?, _ date: String?) async throws
    {
        for evaluates in [true, false] {
            try await with(evaluates: evaluates) { site in
                if tag == nil { site.version.change { $0.tag = nil } }
                _ = try await site.load()
                site.version.change {
                    $0 = Version(bytes: BytePattern.bytes(from: 9, count: 200_000), tag: tag, date: date)
                }
                let second = try await site.load()
                #expect(second.isNew)
                #expect(try site.bytes() == site.version.value.bytes)
            }
        }
    }

    @Test func anotherLengthIsAnotherVersion() async throws {
        try await with { site in
            site.version.change { $0.tag = nil }
            _ = try await site.load()
            site.version.change { $0.bytes = BytePattern.bytes(from: 9, count: 100_000) }
            let second = try await site.load()
            #expect(second.isNew)
            #expect(try site.bytes() == site.version.value.bytes)
        }
    }

    @Test(arguments: ["changed", "replaced", "changed back in time", "removed"]) func aFileThatChangedHereIsLoadedAgain(
        _ how: String
    ) async throws {
        try await with { site in
            let first = try await site.load()
            let url = first.url
            let date = try url.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
            let other = Data(BytePattern.bytes(from: 5, count: 200_000))
            switch how {
            case "removed": try FileManager.default.removeItem(at: url)
            case "replaced": try other.write(to: url, options: .atomic)
            default:
                let file = try FileHandle(forWritingTo: url)
                try file.write(contentsOf: other)
                try file.close()
            }
            if how == "changed back in time", let date {
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
            }
            let second = try await site.load()
            #expect(second.isNew)
            #expect(try site.bytes() == site.version.value.bytes)
        }
    }

    @Test func aFileOfAnotherProgramWithTheServersDateIsCurrent() async throws {
        try await with { site in
            site.version.change { $0.tag = nil }
            try Data(site.version.value.bytes).write(to: site.folder.url.appending(path: "file"))
            let date = try #require(HTTPDate.date(from: "Sun, 06 Nov 1994 08:49:37 GMT"))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: site.folder.path("file"))
            let file = try await site.load()
            #expect(!file.isNew)
        }
    }

    @Test func theDateOfTheServerIsKept() async throws {
        try await with { site in
            let file = try await site.load { ($0.existing, $0.keepsServerDate) = (.ask, true) }
            let values = try file.url.resourceValues(forKeys: [.contentModificationDateKey])
            #expect(values.contentModificationDate == HTTPDate.date(from: "Sun, 06 Nov 1994 08:49:37 GMT"))
            let again = try await site.load { ($0.existing, $0.keepsServerDate) = (.ask, true) }
            #expect(!again.isNew)
        }
    }

    @Test(arguments: [ExistingFile.ask, .replace, .number]) func aFileWithTheChecksumIsDone(
        _ existing: ExistingFile
    ) async throws {
        try await with { site in
            let digest = try #require(RunningHash.digest(of: site.version.value.bytes, .sha256)).hexadecimal
            try Data(site.version.value.bytes).write(to: site.folder.url.appending(path: "file"))
            let file = try await site.load { ($0.existing, $0.checksum) = (existing, .sha256(digest)) }
            #expect(!file.isNew)
            #expect(site.fixture.server.journal.requests.isEmpty)
            try Data("else".utf8).write(to: site.folder.url.appending(path: "file"))
            let second = try await site.load { ($0.existing, $0.checksum) = (existing, .sha256(digest)) }
            #expect(second.isNew)
            #expect(second.name == (existing == .number ? "file (1)" : "file"))
            let third = try await site.load { ($0.existing, $0.checksum) = (existing, .sha256(digest)) }
            #expect(!third.isNew)
            #expect(third.path == second.path)
        }
    }

    @Test func aNameInUseIsRefusedBeforeTheFileIsLoaded() async throws {
        try await with { site in
            try Data("else".utf8).write(to: site.folder.url.appending(path: "file"))
            try Data("else".utf8).write(to: site.folder.url.appending(path: "mine"))
            let error = await #expect(throws: DownloadError.self) {
                try await site.load { ($0.existing, $0.fileName) = (.fail, "mine") }
            }
            #expect(error?.code == .fileExists)
            #expect(site.fixture.server.journal.requests.isEmpty)
            let other = await #expect(throws: DownloadError.self) { try await site.load { $0.existing = .fail } }
            #expect(other?.code == .fileExists)
            #expect(try site.bytes().count == 4)
        }
    }

    @Test func aDamagedListIsSkipped() async throws {
        try await with { site in
            _ = try await site.load()
            let list = site.folder.url.appending(path: ".downloads/files")
            let text = try String(contentsOf: list, encoding: .utf8)
            try Data("{\"broken\n\n\(text)half of a li".utf8).write(to: list)
            #expect(try await !site.load().isNew)
            try Data("nothing".utf8).write(to: list)
            #expect(try await site.load().isNew)
            #expect(try await !site.load().isNew)
        }
    }
}
#endif
