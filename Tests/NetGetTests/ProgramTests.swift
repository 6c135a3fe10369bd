#if Tools && Server && os(Linux)
import Foundation
import HTTPTypes
import NetCore
import NetTestServer
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// net-get as a program, against a real server.
@Suite(.timeLimit(.minutes(2)))
struct ProgramTests {
    private static func file(_ seed: Int64, _ count: Int = 300_000) -> Bytes {
        BytePattern.bytes(from: seed, count: count)
    }

    private static func stub(_ path: PathTemplate, _ bytes: Bytes) -> Stub {
        Stub(.get, path, StubResponse.bytes(bytes).header(.eTag, "\"\(bytes.count)\"")).servingRanges().optional()
    }

    private static let stubs = [
        stub("/a.bin", file(0)), stub("/b.bin", file(1)), stub("/c.bin", file(2, 0)),
        Stub(.get, "/gone", .status(.notFound)).optional(),
    ]

    private func with(
        _ stubs: [Stub] = stubs, _ body: (TestServer, TemporaryFolder) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let server = try await TestServer.start(stubs)
            try await body(server, folder)
            await server.stop()
        }
    }

    private func content(_ folder: TemporaryFolder, _ name: String) throws -> Bytes {
        Bytes(try Data(contentsOf: folder.url.appending(path: name)))
    }

    @Test func severalFilesAreLoadedAndToldOfInLines() async throws {
        try await with { server, folder in
            let urls = ["a", "b", "c"].map { "\(server.baseURL)/\($0).bin" }
            let run = try await NetGetOutput.run(urls, in: folder.url)
            #expect(run.exitCode == 0, "\(run)")
            #expect(run.errors == "", "\(run)")
            #expect(run.lines.filter { $0.hasPrefix("started    ") }.count == 3)
            #expect(run.lines.filter { $0.hasPrefix("completed  ") && $0.contains(".bin  ") }.count == 3)
            #expect(!run.lines.contains { $0.contains("\u{1b}") })
            #expect(try content(folder, "a.bin") == Self.file(0))
            #expect(try content(folder, "b.bin") == Self.file(1))
            #expect(try content(folder, "c.bin").isEmpty)
        }
    }

    @Test func linesOfJSONTellOfEachStep() async throws {
        try await with { server, folder in
            let urls = ["\(server.baseURL)/a.bin?token=PLANTED", "\(server.baseURL)/gone"]
            let run = try await NetGetRun.run(["--output", folder.url.path()] + urls)
            #expect(run.exitCode == 1)
            let states = run.events.filter { $0.event == "state" && $0.url?.contains("/a.bin") == true }.compactMap(
                \.state)
            #expect(states.last == "completed")
            #expect(states.contains("downloading"))
            let done = run.events.last { $0.state == "completed" }
            #expect(done?.path == folder.path("a.bin"))
            #expect(done?.bytes == 300_000)
            #expect(done?.total == 300_000)
            #expect(run.events.contains { $0.state == "failed" && $0.code == "rejected" })
            let last = try #require(run.events.last)
            #expect(last.event == "end")
            #expect(last.completed == 1)
            #expect(last.failed == 1)
            #expect(last.isInterrupted == false)
            #expect(!run.events.contains { "\($0)".contains("PLANTED") })
            // A download that has failed without a byte isn't tried again.
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path(".downloads")).sorted()
            #expect(left == ["files", "lock"])
        }
    }

    @Test func outputNamesFolderOrFile() async throws {
        try await with { server, folder in
            let url = "\(server.baseURL)/a.bin"
            for output in ["films/", "films", "other/one.dat"] {
                let run = try await NetGetOutput.run(["-q", "-o", output, url], in: folder.url)
                #expect(run.exitCode == 0, "\(run)")
                #expect(run.lines == [], "\(run)")
                #expect(run.errors == "", "\(run)")
            }
            #expect(try content(folder, "films/a.bin") == Self.file(0))
            #expect(
                try content(folder, "films/a (1).bin") == Self.file(0)
                    || content(folder, "films/a (2).bin") == Self.file(0))
            #expect(try content(folder, "other/one.dat") == Self.file(0))
        }
    }

    @Test func anInputFileNamesFilesAndChecksums() async throws {
        try await with { server, folder in
            let wrong = String(repeating: "ab", count: 32)
            try folder.write(
                "\(server.baseURL)/a.bin name=one.dat priority=high\n\(server.baseURL)/b.bin sha-256=\(wrong)\n",
                to: "list")
            let run = try await NetGetOutput.run(["-i", "list"], in: folder.url)
            #expect(run.exitCode == 1)
            #expect(try content(folder, "one.dat") == Self.file(0))
            #expect(run.lines.contains { $0.hasPrefix("failed     b.bin: ") }, "\(run.lines)")
            #expect(try !folder.names.contains("b.bin"))
            let missing = try await NetGetOutput.run(["-i", "nowhere"], in: folder.url)
            #expect(missing.exitCode == 2)
            #expect(missing.errors.hasPrefix("net-get: nowhere can't be used"))
        }
    }

    @Test func aDryRunLoadsNothing() async throws {
        let head = Stub(.head, "/film", StubResponse.bytes(Self.file(0)).header(.eTag, "\"1\"")).servingRanges()
            .optional()
        try await with([head] + Self.stubs) { server, folder in
            let run = try await NetGetOutput.run(
                ["-n", "\(server.baseURL)/film", "\(server.baseURL)/gone"], in: folder.url)
            #expect(run.exitCode == 1)
            #expect(run.lines.first == "would load film  300.0 kB, resumable", "\(run.lines)")
            #expect(run.lines.last?.hasPrefix("fails      \(server.baseURL)/gone") == true)
            #expect(try folder.names == [])
        }
    }

    @Test func nothingToLoadIsAnError() async throws {
        try await TemporaryFolder.with { folder in
            let run = try await NetGetOutput.run([], in: folder.url)
            #expect(run.exitCode == 2, "\(run)")
            #expect(run.errors.contains("nothing to load"), "\(run)")
            #expect(try await NetGetOutput.run(["--parallel", "0", "http://a"], in: folder.url).exitCode == 64)
            #expect(try await NetGetOutput.run(["--mirror", "http://b", "http://a"], in: folder.url).exitCode == 64)
        }
    }

    @Test(arguments: [40, 120]) func inATerminalBarsFitItsWidth(_ width: Int) async throws {
        let slow = StubResponse.bytes(Self.file(0)).throttled(to: 600_000)
        try await with([Stub(.get, "/a-name-that-is-not-short.bin", slow), Stub(.get, "/b.bin", slow)]) {
            server, folder in
            let urls = "\(server.baseURL)/a-name-that-is-not-short.bin \(server.baseURL)/b.bin"
            let command = "stty cols \(width) rows 20; \(NetGetOutput.program) -o \(folder.url.path()) \(urls)"
            let data = try await Tool.run(
                ["script", "-qfec", command, "/dev/null"],
                environment: ["TERM": "xterm", "LC_ALL": "C.UTF-8", "NO_COLOR": ""])
            let output = String(decoding: data, as: UTF8.self)
            #expect(output.contains("\u{1b}[36m━") == (width == 120))
            #expect(output.contains("\u{1b}[3A"))
            let lines = output.replacing(/\u{1b}\[[0-9;]*[A-Za-z]/, with: "").split { $0.isNewline }
            let bars = lines.filter { $0.contains(" % ") || $0.contains("of 2 files") }
            #expect(bars.count > 4)
            for line in bars { #expect(TerminalText.columns(String(line)) <= width, "\(line)") }
            #expect(lines.filter { $0.hasPrefix("✓ ") }.count == 2)
        }
    }

    /// A server that is slow until it has been interrupted.
    private static func slowAtFirst(_ rate: Int = 1_000_000) -> [Stub] {
        let whole = StubResponse.bytes(file(0, 3_000_000)).header(.eTag, "\"1\"")
        return [
            Stub(.get, "/film") { request in
                let part = whole.part(for: request)
                return request.headers[.range] == nil ? part.throttled(to: rate) : part
            }
            .optional()
        ]
    }

    @Test func anInterruptPausesAndTheSameFolderGoesOn() async throws {
        try await with(Self.slowAtFirst()) { server, folder in
            let output = folder.url.appending(path: "out/").path()
            let first = try await NetGetRun.run(["-o", output, "\(server.baseURL)/film"], signal: SIGINT) {
                ($0.bytes ?? 0) > 200_000
            }
            #expect(first.exitCode == 130)
            #expect(first.events.last?.isInterrupted == true)
            #expect(first.events.last?.completed == 0)
            // Without a URL: the folder contains the unfinished downloads.
            let second = try await NetGetOutput.run(["-o", output], in: folder.url)
            #expect(second.exitCode == 0, "\(second)")
            let requests = server.journal.requests
            let range = try #require(requests.last?.headers[.range].flatMap { RequestedRange($0) })
            guard case .from(let start, _) = range else {
                Issue.record("\(range)")
                return
            }
            #expect(requests.count == 2)
            #expect(start > 0)
            #expect(requests.last?.headers[.ifRange] == "\"1\"")
            #expect(try Bytes(Data(contentsOf: URL(filePath: output + "film"))) == Self.file(0, 3_000_000))
        }
    }

    @Test func aSecondProgramInTheSameFolderIsTold() async throws {
        try await with(Self.slowAtFirst(50_000)) { server, folder in
            let arguments = ["-o", folder.url.path(), "\(server.baseURL)/film"]
            let isTold = Locked(false)
            async let first = NetGetRun.run(arguments, signal: SIGTERM) { _ in isTold.value }
            try await server.wait { requests, _ in !requests.isEmpty }
            let second = try await NetGetOutput.run(arguments, in: folder.url)
            #expect(second.exitCode == 2, "\(second)")
            #expect(second.errors.contains("net-get"), "\(second)")
            isTold.change { $0 = true }
            #expect(try await first.exitCode == 143)
        }
    }
}
#endif
