#if Tools && Server
import Foundation
import HTTPTypes
import NetCore
import NetTestServer
import NetTesting
import Synchronization
import Testing

@testable import NetStore

/// net-activity's words about a program that is killed and run again.
@Suite(.timeLimit(.minutes(5)))
struct SyncTests {
    private static let film = BytePattern.bytes(from: 1, count: 400_000)
    private static let disk = BytePattern.bytes(from: 2, count: 6 << 20)

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Data("all is well".utf8).write(to: URL(fileURLWithPath: folder.file("report.txt")))
    }

    @Test func eachTransferIsOneEntryThatSaysHowItEnded() async throws {
        // Before: a link to the film that expires, a disk that never arrives, a full inbox. Then: other notes, another
        // link, the disk, an inbox with space.
        let isLater = Atomic(false)
        let hasEverything = Atomic(false)
        let server = try await TestServer.start([
            Stub(.get, "/list") { _ in
                let link = isLater.load(ordering: .relaxed) ? "new" : "old"
                return .json(
                    text: """
                        [{"name": "notes.txt", "link": "/notes"}, {"name": "film.mp4", "link": "/film/\(link)"},
                        {"name": "disk.img", "link": "/disk"}]
                        """)
            },
            Stub(.get, "/notes") { request in
                let version = isLater.load(ordering: .relaxed) ? "second" : "first"
                return .text("the \(version) notes").header(.eTag, "\"\(version)\"").part(for: request)
            },
            Stub(.get, "/film/{link}") { request in
                let whole = StubResponse.bytes(Self.film).header(.eTag, "\"1\"")
                guard request.target.hasSuffix("/old") else { return whole.part(for: request) }
                guard request.headers[.range] == nil else { return .status(.forbidden) }
                return whole.dropping(.afterBodyBytes(100_000))
            },
            Stub(.get, "/disk") { request in
                let whole = StubResponse.bytes(Self.disk).header(.eTag, "\"1\"")
                if isLater.load(ordering: .relaxed) {
                    // The restored download isn't complete before the program adds it again.
                    while !hasEverything.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(5)) }
                    return whole.part(for: request)
                }
                let halves = [
                    StubChunk(Self.disk.prefix(3 << 20)), StubChunk(Self.disk.dropFirst(3 << 20), after: .seconds(600)),
                ]
                return StubResponse.chunks(halves, length: Int64(Self.disk.count)).header(.eTag, "\"1\"")
            },
            Stub(.put, "/inbox") { _ in
                guard isLater.load(ordering: .relaxed) else { return .status(HTTPResponse.Status(code: 507)) }
                hasEverything.store(true, ordering: .relaxed)
                return .status(.created)
            },
        ])

        let output = folder.file("output")
        try Data().write(to: URL(fileURLWithPath: output))
        let first = try ChildProcess(
            Command.product("sync-worker"), [folder.path, "\(server.baseURL)"],
            output: try FileHandle(forWritingTo: URL(fileURLWithPath: output)))
        var lines: [String] = []
        while lines.count < 4, first.isRunning {
            try await Task.sleep(for: .milliseconds(10))
            lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n").map(String.init)
        }
        first.kill()
        #expect(await first.end() == SIGKILL)
        #expect(
            lines.sorted() == [
                "complete notes.txt", "failed film.mp4: rejected", "failed report.txt: rejected", "large disk.img",
            ])
        try expect(Self.listAfterTheKill, of: server, "list")
        try expect(Self.statsAfterTheKill, of: server, "stats")
        try expect(Self.doctorAfterTheKill, of: server, "doctor")

        isLater.store(true, ordering: .relaxed)
        let second = try Command.run(Command.product("sync-worker"), [folder.path, "\(server.baseURL)"])
        #expect(second.exitCode == 0, "\(second.output) \(second.errors)")
        try expect(Self.jobsAtTheEnd, of: server, "list", "~job")
        try expect(Self.statsAtTheEnd, of: server, "stats")
        try expect(["Looked at 0 calls and 5 jobs: no problems found."], of: server, "doctor", "~job")
        for (path, words) in Self.jobs { try expect(words, of: server, "show", "~job & \(path)") }
        #expect(try said(server, ["list", "!~job"]).count == 12)
        await server.stop()
    }

    private func expect(_ words: [String], of server: TestServer, _ arguments: String...) throws {
        let lines = try said(server, arguments)
        #expect(lines == words.sorted(), "net-activity \(arguments)")
    }

    /// Returns the lines of a command's output, with words in place of what each run has of its own: the server's
    /// address, times, IDs. Runs of blanks are one blank, because columns are as wide as their contents.
    private func said(_ server: TestServer, _ arguments: [String]) throws -> [String] {
        let file = folder.file("activity.sqlite")
        let output = try Command.run(Command.product("net-activity"), [arguments[0], file] + arguments.dropFirst())
            .output
        let address: String = "\(server.baseURL)"
        var text = output.replacingOccurrences(of: address, with: "SERVER")
        text = text.replacingOccurrences(of: String(address.dropFirst(7)), with: "SERVER")
        text = text.replacingOccurrences(of: file, with: "FILE")
        for (pattern, word) in Self.own {
            text = text.replacingOccurrences(of: pattern, with: word, options: .regularExpression)
        }
        // Sorted, because several transfers begin and end in the same millisecond.
        return text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.sorted()
    }

    private static let own = [
        ("[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:.]{12}", "TIME"), ("[0-9.]+ (ms|µs|s)\\b", "DURATION"),
        ("[0-9a-f]{8}-[0-9a-f-]{27}", "ID"), ("\\b[0-9a-f]{8}\\b", "ID"), ("[0-9.]+ MB", "MEGABYTES"), (" {2,}", " "),
    ]
}

// MARK: - The words

extension SyncTests {
    private static let listAfterTheKill = [
        "TIME (UTC) RESULT METHOD TOOK TRIES OPERATION PATH ID",
        "TIME cut off GET 0 download /disk ID",
        "TIME cut off job 1 - /disk ID",
        "TIME rejected job DURATION 1 - /inbox ID",
        "TIME rejected job DURATION 2 - /film/old ID",
        "TIME 507 PUT DURATION 1 upload /inbox ID",
        "TIME 403 GET DURATION 1 download /film/old ID",
        "TIME completed job DURATION 1 - /notes ID",
        "TIME connectionLost GET DURATION 1 download /film/old ID",
        "TIME 200 GET DURATION 1 download /notes ID",
        "TIME 200 GET DURATION 1 - /list ID",
    ]

    private static let statsAfterTheKill = [
        "OPERATION CALLS JOBS FAILED TRIES P50 P95 P99 SENT RECEIVED",
        "download 3 0 1 3 DURATION DURATION DURATION 0 B 100.0 kB",
        "(none) 1 3 2 1 DURATION DURATION DURATION 0 B 123 B",
        "upload 1 0 0 1 DURATION DURATION DURATION 11 B 0 B",
        "5 calls and 3 jobs; of all events 0 were dropped by a full queue, 0 could not be stored.",
    ]

    private static let doctorAfterTheKill = [
        "Looked at 5 calls and 3 jobs: 2 findings.",
        "✗ Downloads from SERVER fail",
        "1 of 2 jobs failed (50 %), 1 of them with rejected.",
        "→ The server doesn't accept the request: check the URL, the credential and the body; a link may",
        "have expired.",
        "net-activity list FILE '~job & ~d SERVER & ~error rejected'",
        "failing: ID",
        "✗ Uploads to SERVER fail",
        "1 of 1 job failed (100 %), 1 of them with rejected.",
        "→ The server doesn't accept the request: check the URL, the credential and the body; a link may",
        "have expired.",
        "net-activity list FILE '~job & ~d SERVER & ~error rejected'",
        "failing: ID",
    ]

    private static let jobsAtTheEnd = [
        "TIME (UTC) RESULT METHOD TOOK TRIES OPERATION PATH ID",
        "TIME completed job DURATION 1 - /notes ID",
        "TIME completed job DURATION 2 - /disk ID",
        "TIME completed job DURATION 2 - /inbox ID",
        "TIME completed job DURATION 3 - /film/new ID",
        "TIME completed job DURATION 1 - /notes ID",
    ]

    private static let statsAtTheEnd = [
        "OPERATION CALLS JOBS FAILED TRIES P50 P95 P99 SENT RECEIVED",
        "download 6 0 1 6 DURATION DURATION DURATION 0 B MEGABYTES",
        "(none) 2 5 0 2 DURATION DURATION DURATION 0 B 246 B",
        "upload 2 0 0 2 DURATION DURATION DURATION 22 B 0 B",
        "10 calls and 5 jobs; of all events 0 were dropped by a full queue, 0 could not be stored, 2 were",
        "already stored.",
    ]

    private static let jobs: [(path: String, words: [String])] = [
        (
            "/notes",
            [
                "id: ID",
                "request: SERVER/notes",
                "name: notes.txt",
                "started: TIME UTC",
                "result: completed",
                "took: DURATION",
                "sent: unknown",
                "received: 16 B",
                "detail: download, completed",
                "TRY RUN STARTED (UTC) TOOK RESULT",
                "1 2 TIME DURATION completed",
                "TIME (UTC) RESULT WHAT",
                "TIME 200 /notes",
            ]
        ),
        (
            "/film",
            [
                "id: ID",
                "request: SERVER/film/new",
                "name: film.mp4",
                "started: TIME UTC",
                "result: completed",
                "took: DURATION",
                "sent: unknown",
                "received: 400.0 kB",
                "detail: download, completed",
                "TRY RUN STARTED (UTC) TOOK RESULT",
                "1 1 TIME DURATION network",
                "2 1 TIME DURATION rejected",
                "3 2 TIME DURATION completed",
                "TIME (UTC) RESULT WHAT",
                "TIME connectionLost /film/old",
                "TIME 403 /film/old",
                "TIME 206 /film/new",
            ]
        ),
        (
            "/disk",
            [
                "id: ID",
                "request: SERVER/disk",
                "name: disk.img",
                "started: TIME UTC",
                "result: completed",
                "took: DURATION",
                "sent: unknown",
                "received: MEGABYTES",
                "detail: download, completed",
                "TRY RUN STARTED (UTC) TOOK RESULT",
                "1 1 TIME - no end",
                "2 2 TIME DURATION completed",
                "TIME (UTC) RESULT WHAT",
                "TIME cut off /disk",
                "TIME 206 /disk",
            ]
        ),
        (
            "/inbox",
            [
                "id: ID",
                "request: SERVER/inbox",
                "name: report.txt",
                "started: TIME UTC",
                "result: completed",
                "took: DURATION",
                "sent: 11 B",
                "received: unknown",
                "detail: upload, completed",
                "TRY RUN STARTED (UTC) TOOK RESULT",
                "1 1 TIME DURATION rejected",
                "2 2 TIME DURATION completed",
                "TIME (UTC) RESULT WHAT",
                "TIME 507 /inbox",
                "TIME 201 /inbox",
            ]
        ),
    ]
}
#endif
