#if Tools && Server && os(Linux)
import Foundation
import HTTPTypes
import NetCore
import NetTestServer
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// Runs of net-get that follow one another in a folder, and outputs that aren't files.
@Suite(.timeLimit(.minutes(2))) struct RunTests {
    private static let film = BytePattern.bytes(from: 4, count: 400_000)

    /// A film whose old link expires after 100 kB, a dead link, and files that HEAD doesn't show.
    private static let stubs = [
        Stub(.get, "/film/{link}") { request in
            let whole = StubResponse.bytes(film).header(.eTag, "\"1\"")
            guard request.target.hasSuffix("/old") else { return whole.part(for: request) }
            guard request.headers[.range] == nil else { return .status(.forbidden) }
            return whole.dropping(.afterBodyBytes(100_000))
        }
        .optional(),
        Stub(.get, "/broken") { request in
            let whole = StubResponse.bytes(film).header(.eTag, "\"1\"")
            guard request.headers[.range] == nil else { return whole.part(for: request) }
            return whole.dropping(.afterBodyBytes(100_000))
        }
        .optional(),
        Stub(.get, "/changing") { request in
            guard request.headers[.range] == nil else { return StubResponse.bytes(film).header(.eTag, "\"2\"") }
            return StubResponse.bytes(film).header(.eTag, "\"1\"").dropping(.afterBodyBytes(100_000))
        }
        .optional(),
        Stub(.head, "/film/{link}", .status(.methodNotAllowed)).optional(),
        Stub(.get, "/dead", .status(.notFound)).optional(),
        Stub(.get, "/data.json") { _ in
            StubResponse.bytes(CodedSample.gzip.bytes, contentType: "application/json").header(.contentEncoding, "gzip")
        }
        .optional(),
        Stub(.get, "/named/{form}") { request in
            let values = [
                "percent": "attachment; filename=\"na%C3%AFve%20file.txt\"",
                "latin": "attachment; filename=caf\u{e9}.txt",
                "word": "attachment; filename=\"=?UTF-8?B?Y2Fmw6k=?=\"",
                "both": "attachment; filename=\"x.txt\"; filename*=UTF-8''100%2525.txt",
                "path": "attachment; filename=\"..%2f..%2fetc%2fpasswd\"",
            ]
            let form = request.target.split(separator: "/").last.map(String.init) ?? ""
            return StubResponse.text("hello").header(.contentDisposition, values[form] ?? "")
        }
        .optional(),
    ]

    private func with(_ body: (String, TemporaryFolder, TestServer) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let server = try await TestServer.start(Self.stubs)
            try await body("\(server.baseURL)", folder, server)
            await server.stop()
        }
    }

    private func run(_ folder: TemporaryFolder, _ arguments: String...) async throws -> NetGetOutput {
        try await NetGetOutput.run(arguments + ["--state", folder.path("state")], in: folder.url)
    }

    @Test func aNewLinkContinuesThePartOfAnOldOne() async throws {
        try await with { url, folder, server in
            #expect(try await run(folder, "-o", "film.mp4", "\(url)/film/old").exitCode == 1)
            let list = try await run(folder, "--list")
            #expect(list.exitCode == 0)
            #expect(list.lines.first?.contains("failed  100.0 kB of 400.0 kB  film.mp4") == true, "\(list)")
            #expect(list.lines.last == "1 unfinished transfer, 100.0 kB received or sent")
            // Another file of the folder has nothing to do with it.
            let other = try await run(folder, "\(url)/broken")
            #expect(other.exitCode == 0, "\(other)")
            #expect(!other.lines.contains { $0.contains("film") })
            let again = try await run(folder, "-o", "film.mp4", "\(url)/film/new")
            #expect(again.exitCode == 0, "\(again)")
            #expect(try Bytes(Data(contentsOf: folder.url.appending(path: "film.mp4"))) == Self.film)
            #expect(server.requests.last?.headers[.range] == "bytes=100000-")
            #expect(try await run(folder, "--list").lines == ["0 unfinished transfers, 0 B received or sent"])
        }
    }

    @Test func aForgottenTransferIsGone() async throws {
        try await with { url, folder, _ in
            #expect(try await run(folder, "-o", "film.mp4", "\(url)/film/old").exitCode == 1)
            let wrong = try await run(folder, "--forget", "other.mp4")
            #expect(wrong.exitCode == 2)
            #expect(wrong.errors.contains("no unfinished transfer \"other.mp4\""))
            let right = try await run(folder, "--forget", "film.mp4")
            #expect(right.exitCode == 0)
            #expect(right.lines.first?.hasPrefix("forgotten  ") == true)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(".downloads"))
            #expect(!names.contains { $0.hasSuffix(".part") || $0.hasSuffix(".journal") })
            #expect(try await run(folder, "--list", "\(url)/dead").exitCode == 64)
        }
    }

    @Test func withoutAURLAllOfTheFolderIsContinued() async throws {
        try await with { url, folder, _ in
            #expect(try await run(folder, "-o", "film.mp4", "\(url)/film/old").exitCode == 1)
            let all = try await run(folder)
            #expect(all.exitCode == 1)
            #expect(all.lines.contains { $0.hasPrefix("failed     film.mp4") }, "\(all)")
        }
    }

    @Test func standardOutputGetsTheBytesInOrder() async throws {
        try await with { url, folder, _ in
            let script = "\(NetGetOutput.program) -o - \(url)/broken > out 2> err"
            _ = try await Tool.run(["sh", "-c", "cd \(folder.url.path()) && \(script)"])
            #expect(try Bytes(Data(contentsOf: folder.url.appending(path: "out"))) == Self.film)
            #expect(try folder.text(of: "err").hasPrefix("completed  400.0 kB"))
            let changed = try await run(folder, "-q", "-o", "/dev/null", "\(url)/changing")
            #expect(changed.exitCode == 1)
            #expect(changed.errors.contains("another version"))
            let page = try await run(folder, "-q", "-o", "-", "\(url)/data.json")
            #expect(page.lines == [CodedSample.text])
            let dead = try await run(folder, "-o", "-", "\(url)/dead")
            #expect(dead.exitCode == 1)
            #expect(dead.lines == [])
            #expect(try await run(folder, "-o", "-", "\(url)/dead", "\(url)/broken").exitCode == 64)
            #expect(try await run(folder, "-o", "/dev/null", "\(url)/broken").exitCode == 0)
            let full = try await run(folder, "-o", "/dev/full", "\(url)/broken")
            #expect(full.exitCode == 1)
            #expect(full.errors.contains("/dev/full can't be written"))
            let wrong = try await run(
                folder, "-o", "/dev/null", "--checksum", String(repeating: "ab", count: 32), "\(url)/broken")
            #expect(wrong.exitCode == 1)
            #expect(wrong.errors.contains("don't use it"))
            #expect(try folder.names.filter { $0 != "state" } == ["err", "out"])
        }
    }

    @Test func aDryRunAsksForTheFirstByteIfHEADIsRefused() async throws {
        try await with { url, folder, _ in
            let run = try await run(folder, "-n", "\(url)/film/new")
            #expect(run.exitCode == 0, "\(run)")
            #expect(run.lines == ["would load new  400.0 kB, resumable"])
            let dead = try await self.run(folder, "-n", "\(url)/dead")
            #expect(dead.exitCode == 1)
            #expect(dead.lines.first?.contains("404") == true)
        }
    }

    @Test(arguments: [
        ("percent", "naïve file.txt"), ("latin", "café.txt"), ("word", "café.txt"), ("both", "100%25.txt"),
        ("path", "passwd.txt"),
    ]) func namesAreReadAsInBrowsers(_ form: String, _ name: String) async throws {
        try await with { url, folder, _ in
            let run = try await run(folder, "-o", "files/", "\(url)/named/\(form)")
            #expect(run.exitCode == 0, "\(run)")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("files"))
            #expect(names.filter { !$0.hasPrefix(".") } == [name])
        }
    }

    @Test func uploadsOfOtherFilesAreNotDisturbed() async throws {
        try await TemporaryFolder.with { folder in
            let server = try UploadPeer(.tus())
            defer { server.stop() }
            let content = [UInt8](repeating: 7, count: 2_000_000)
            for name in ["a.bin", "b.bin"] { try Data(content).write(to: folder.url.appending(path: name)) }
            let state = ["--state", folder.path("state")]
            let isDone = Locked(false)
            async let slow = NetGetRun.run(
                state + ["--limit-rate", "100k", "--upload", folder.path("a.bin"), server.url], signal: SIGINT
            ) { _ in isDone.value }
            // The first one has begun.
            while server.uploads.value.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            let other = try await run(folder, "--upload", "b.bin", server.url)
            #expect(other.exitCode == 0, "\(other)")
            #expect(!other.lines.contains { $0.contains("a.bin") })
            let same = try await run(folder, "--upload", "a.bin", server.url)
            #expect(same.exitCode == 2)
            #expect(same.errors.contains("is used by"))
            isDone.change { $0 = true }
            #expect(try await slow.exitCode == 130)
            let list = try await run(folder, "--list")
            #expect(list.lines.count == 2)
            #expect(list.lines.first?.contains("  upload  interrupted  2.0 MB  a.bin") == true, "\(list)")
            #expect(try await run(folder, "--upload", "a.bin", server.url).exitCode == 0)
            #expect(try await run(folder, "--list").lines.count == 1)
        }
    }

    @Test func anUploadOfTheEarlierLayoutIsContinued() async throws {
        try await TemporaryFolder.with { folder in
            let server = try UploadPeer(.tus())
            defer { server.stop() }
            try Data([UInt8](repeating: 7, count: 2_000_000)).write(to: folder.url.appending(path: "a.bin"))
            let first = try await NetGetRun.run(
                [
                    "--state", folder.path("state"), "--limit-rate", "1M", "--upload", folder.path("a.bin"), server.url,
                ], signal: SIGINT
            ) { ($0.bytes ?? 0) > 500_000 }
            #expect(first.exitCode == 130)
            // As one folder for all.
            let own = try #require(
                FileManager.default.contentsOfDirectory(atPath: folder.path("state")).first { $0.hasPrefix("upload-") })
            try FileManager.default.moveItem(
                atPath: folder.path("state/\(own)/.downloads"), toPath: folder.path("state/.downloads"))
            let second = try await run(folder, "--upload", folder.path("a.bin"), server.url)
            #expect(second.exitCode == 0, "\(second)")
            #expect(server.receivedBytes == 2_000_000)
        }
    }
}
#endif
