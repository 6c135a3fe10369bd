#if Tools
import Foundation
import NetCore
import Testing

@testable import NetStore

struct NetActivityTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) throws -> Command {
        try Command.run(Command.product("net-activity"), arguments)
    }

    /// Creates a file with ordinary, long, wide and hostile calls.
    private func makeFile() async throws {
        let store = try ActivityStore(at: folder.file())
        let long = "https://api.example.com/" + String(repeating: "very-long/", count: 40)
        let calls = [
            Events.call(0, operation: "getUser"),
            Events.call(1, took: .seconds(75), operation: String(repeating: "operation", count: 20), url: long),
            Events.call(2, status: 404, url: "https://x/漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字"),
            Events.call(
                3, operation: "getUser",
                outcome: .failed(
                    NetError(
                        .connectionLost, phase: .receiving,
                        message: "the peer \u{1b}[31mwent\u{7} away\n" + String(repeating: "again ", count: 60)))),
            Events.call(4, outcome: .cancelled),
        ]
        try await store.write(Array(calls.joined()))
        // The program ends during a call.
        try await store.close()
        let uid = "x'" + Events.id(5).bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
        try Command.changeWithSQLite(
            folder.file(),
            """
            INSERT INTO net_open (uid, kind, run, started_at, url)
            VALUES (\(uid), 1, 1, \(StoredTime.microseconds(of: Events.start) + 5_000_000), 'x' || char(27) || ']0;t' || char(7));
            UPDATE net_run SET ended_at = NULL, pid_started = 1
            """)
    }

    private func expectNarrowAndPlain(_ command: Command) {
        #expect(command.exitCode == 0, "\(command.errors)")
        for line in command.lines {
            let width = line.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 || $1 == "…" ? 1 : 2) }
            #expect(width <= 100, "\(line)")
            #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }, "\(line)")
        }
    }

    @Test func listShowsTheNewestFirstWithinAHundredColumns() async throws {
        try await makeFile()
        let list = try run("list", folder.file())
        expectNarrowAndPlain(list)
        try #require(list.lines.count == 7)
        #expect(list.lines[0].hasPrefix("TIME (UTC)"))
        #expect(list.lines[1].contains("cut off"))
        #expect(list.lines[2].contains("cancelled"))
        #expect(list.lines[3].contains("connectionL"))
        #expect(list.lines[4].contains("404"))
        #expect(list.lines[5].contains("1 m 15 s"))
        #expect(list.lines[6].contains("2026-01-01 00:00:00.000"))
        #expect(list.lines[6].hasSuffix(String(Events.id(0).description.suffix(8))))
    }

    @Test func listIsLimited() async throws {
        try await makeFile()
        #expect(try run("list", folder.file(), "--json", "--limit", "2").lines.count == 2)
        #expect(try run("list", folder.file(), "--json").lines.count == 6)
    }

    @Test func jsonLinesAreReadByAnyParser() async throws {
        try await makeFile()
        let lines = try run("list", folder.file(), "--json").lines
        let objects = try lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        try #require(objects.count == 6)
        #expect(objects[5]["durationMicroseconds"] as? Int == 12_000)
        #expect(objects[5]["status"] as? Int == 200)
        #expect(objects[5]["uid"] as? String == Events.id(0).description)
        #expect(objects[2]["errorCode"] as? String == "connectionLost")
        #expect(objects[0]["outcome"] as? String == "cutOff")
        #expect(objects[0]["status"] == nil)
    }

    @Test func showTakesTheBeginningOrTheEndOfAnID() async throws {
        try await makeFile()
        let id = Events.id(3).description
        for text in [id, String(id.suffix(8)), String(id.prefix(13))] {
            let show = try run("show", folder.file(), text)
            expectNarrowAndPlain(show)
            #expect(show.output.contains(id))
            #expect(show.output.contains("connectionLost while receiving: the peer"))
            #expect(show.output.contains("TRY"))
            #expect(show.output.contains("used"))
        }
        let wide = try run("show", folder.file(), Events.id(1).description)
        expectNarrowAndPlain(wide)
        let several = try run("show", folder.file(), String(id.prefix(6)))
        #expect(several.exitCode == 2)
        #expect(several.errors.contains("several entries"))
        let none = try run("show", folder.file(), "ffff")
        #expect(none.exitCode == 1)
        #expect(none.errors.contains("no entry has the ID"))
        #expect(none.output.isEmpty)
    }

    @Test func statsShowEachOperation() async throws {
        try await makeFile()
        let stats = try run("stats", folder.file())
        expectNarrowAndPlain(stats)
        #expect(stats.output.contains("getUser"))
        #expect(stats.output.contains("11.9 ms"))
        #expect(stats.output.contains("5 calls; of all events 0 were dropped"))
    }

    @Test func aFilterChoosesWhatIsListed() async throws {
        try await makeFile()
        let failed = try run("list", folder.file(), "~e", "--json")
        #expect(failed.lines.count == 3, "failed, cancelled, and cut off: \(failed.output)")
        #expect(try run("list", "--file", folder.file(), "~op getuser & !~e", "--json").lines.count == 1)
        #expect(try run("list", folder.file(), "nowhere").output == "Nothing matches.\n")
        let broken = try run("list", folder.file(), "~c 5y")
        #expect(broken.exitCode == 2, "\(broken.errors)")
        #expect(broken.errors.contains("column 4"), "\(broken.errors)")
        #expect(broken.output.isEmpty, "\(broken.errors)")
        let stats = try run("stats", folder.file(), "~op getuser", "--by", "host")
        #expect(stats.output.contains("api.example.com"), "\(stats.output)")
        #expect(stats.output.contains("2 calls"), "\(stats.output)")
    }

    @Test func wordsAreSearched() async throws {
        try await makeFile()
        #expect(try run("search", folder.file(), "very", "lon", "--json").lines.count == 1)
        #expect(try run("search", folder.file(), "peer away", "--json").lines.count == 1)
        #expect(try run("search", folder.file(), "absent").output == "Nothing matches.\n")
        #expect(try run("search", folder.file()).exitCode == 2)
    }

    @Test func theDefaultFileIsFoundWithoutItsName() async throws {
        try await makeFile()
        let home = folder.file("state")
        try FileManager.default.createDirectory(atPath: home + "/swift-net", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: folder.file(), toPath: home + "/swift-net/activity.sqlite")
        let environment = ["XDG_STATE_HOME": home]
        let list = try Command.run(
            Command.product("net-activity"), ["list", "~c 404", "--json"], environment: environment)
        #expect(list.exitCode == 0, "\(list.errors)")
        #expect(list.lines.count == 1, "\(list.errors)")
        let show = try Command.run(
            Command.product("net-activity"), ["show", Events.id(3).description], environment: environment)
        #expect(show.output.contains("connectionLost"))
        let none = try Command.run(
            Command.product("net-activity"), ["list"], environment: ["XDG_STATE_HOME": folder.file("empty")])
        #expect(none.exitCode == 3)
        #expect(none.errors.contains("no such file"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("empty")))
    }

    @Test func aTailShowsWhatIsStoredAndWhatComes() async throws {
        try await makeFile()
        let tail = try run("tail", folder.file(), "--count", "3", "--last", "3", "--json")
        #expect(tail.lines.count == 3, "\(tail.output)")
        expectNarrowAndPlain(try run("tail", folder.file(), "--count", "4", "--last", "4"))
        let output = folder.file("tailed")
        try Data().write(to: URL(fileURLWithPath: output))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Command.product("net-activity"))
        process.arguments = ["tail", folder.file(), "~c 2xx", "--last", "1", "--count", "3", "--json"]
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        try process.start()
        let text = { String(decoding: (try? Data(contentsOf: URL(fileURLWithPath: output))) ?? Data(), as: UTF8.self) }
        while !text().contains("\n"), process.isRunning, !Task.isCancelled { await Task.yield() }
        let store = try ActivityStore(at: folder.file())
        try await store.write(Array([Events.call(6), Events.call(7, status: 404), Events.call(8)].joined()))
        await waitUntilExit(process)
        try await store.close()
        #expect(process.terminationStatus == 0)
        let ids = [Events.id(4), Events.id(6), Events.id(8)].map(\.description)
        let lines = text().split(separator: "\n")
        #expect(lines.count == 3, "\(text())")
        #expect(zip(lines, ids).allSatisfy { $0.contains($1) }, "\(text())")
    }

    private func waitUntilExit(_ process: Process) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                process.waitUntilExit()
                continuation.resume()
            }
        }
    }

    @Test func pruneKeepsWhatItIsToldTo() async throws {
        try await makeFile()
        let prune = try run("prune", folder.file(), "--entries", "2")
        #expect(prune.exitCode == 0, "\(prune.errors)")
        #expect(prune.output.hasSuffix("entries were deleted.\n"), "\(prune.errors)")
        #expect(try run("list", folder.file(), "--json").lines.count == 2)
        #expect(try run("prune", folder.file(), "--bytes", "many").exitCode == 2)
        let missing = try run("prune", folder.file("missing.sqlite"))
        #expect(missing.exitCode == 3)
        #expect(missing.errors.contains("no such file"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("missing.sqlite")))
    }

    @Test func showPrintsWhatWasCaptured() async throws {
        let store = try ActivityStore(at: folder.file())
        let body = CaptureContent.Body(
            bytes: Bytes(((1...40).map { "line \($0)" }.joined(separator: "\n") + "\u{1b}[31m").utf8), size: 5000,
            isCut: true,
            type: "text/plain")
        store.record(
            PendingCapture(
                Events.id(0), number: 1, status: 200, requestHeaders: "Accept: */*", responseHeaders: "X-One: 1",
                response: body))
        try await store.write(Events.call(0))
        for event in Events.socket(1) { store.record(event) }
        store.record(
            PendingMessage(Events.id(1), number: 1, occurredAt: 0, isSent: true, kind: .text, size: 5) {
                .text("hello")
            })
        try await store.flush()
        try await store.close()
        let show = try run("show", folder.file(), Events.id(0).description)
        expectNarrowAndPlain(show)
        #expect(show.output.contains("Accept: */*"), "\(show.output)")
        #expect(show.output.contains("X-One: 1"), "\(show.output)")
        #expect(show.output.contains("line 20\n… 20 more lines"), "\(show.output)")
        #expect(show.output.contains("… of 5.0 kB"), "\(show.output)")
        #expect(try run("show", folder.file(), Events.id(0).description, "--all").output.contains("line 40·[31m"))
        #expect(try run("show", folder.file(), Events.id(1).description).output.contains("→ hello"))
    }

    @Test(arguments: ["list", "stats", "show"])
    func aWrongFileIsAClearError(command: String) throws {
        let missing = folder.file("missing.sqlite")
        let rest = command == "show" ? ["0190"] : []
        let first = try Command.run(Command.product("net-activity"), [command, missing] + rest)
        #expect(first.exitCode == 3)
        #expect(first.errors.contains("no such file"))
        #expect(first.errors.contains(missing))
        #expect(!FileManager.default.fileExists(atPath: missing))
        let text = folder.file("text")
        try Data(repeating: 0x20, count: 4000).write(to: URL(fileURLWithPath: text))
        let second = try Command.run(Command.product("net-activity"), [command, text] + rest)
        #expect(second.exitCode == 3)
        #expect(second.errors.contains("notADatabase"))
        let third = try Command.run(Command.product("net-activity"), [command, folder.path] + rest)
        #expect(third.exitCode == 3)
        #expect(third.errors.contains("a folder"))
    }

    @Test(arguments: [["--limit", "0"], ["--limit", "many"]])
    func aWrongOptionIsAUsageError(option: [String]) throws {
        let command = try Command.run(Command.product("net-activity"), ["list", folder.file()] + option)
        #expect(command.exitCode == 2)
        #expect(command.errors.contains(option[0]))
    }

    /// Returns the program's output in a terminal, which `script` provides.
    private func onTerminal(_ environment: [String: String], columns: Int = 100) throws -> String {
        try #require(FileManager.default.isExecutableFile(atPath: "/usr/bin/script"))
        let line = "stty cols \(columns); \(Command.product("net-activity")) list \(folder.file())"
        let command = try Command.run(
            "/usr/bin/script", ["-qec", line, "/dev/null"],
            environment: environment.merging(["PATH": "/usr/bin:/bin"]) { $1 })
        return command.output
    }

    @Test func aTerminalGetsColoursUnlessTheyAreUnwanted() async throws {
        try await makeFile()
        #expect(try onTerminal(["PAGER": "cat"]).contains("\u{1b}[32m200\u{1b}[0m"))
        #expect(try !onTerminal(["PAGER": "cat", "NO_COLOR": "1"]).contains("\u{1b}["))
    }

    @Test(arguments: [20, 40, 80, 200]) func aTableFitsItsTerminal(columns: Int) async throws {
        try await makeFile()
        let output = try onTerminal(["PAGER": "cat", "NO_COLOR": "1"], columns: columns)
        let lines = output.split(whereSeparator: \.isNewline)
        #expect(lines.count == 7)
        for line in lines { #expect(TerminalText.columns(String(line)) <= columns, "\(line)") }
        #expect(output.contains("METHOD") == (columns >= 80), "\(output)")
        #expect(output.contains("TRIES") == (columns >= 200), "\(output)")
    }

    @Test func aTerminalHasAPager() async throws {
        try await makeFile()
        let output = try onTerminal(["NET_ACTIVITY_PAGER": "sed s/^/paged:/"])
        #expect(output.split(whereSeparator: \.isNewline).allSatisfy { $0.hasPrefix("paged:") }, "\(output)")
        #expect(try onTerminal(["PAGER": "no-such-pager"]).contains("404"))
    }
}
#endif
