#if Tools
import Foundation
import NetCore
import Testing

@testable import net_activity

/// The commands that read a store, with HAR files and cassettes.
struct RecordedStoreTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let har = root.appending(path: "Fixtures/har/chrome.har").path
    private static let cassette = root.appending(path: "Tests/NetTestTraitsTests/Cassettes/ada.json").path

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: [String]) throws -> Command {
        try Command.run(
            Command.product("net-activity"), arguments,
            environment: ["XDG_STATE_HOME": folder.file("state"), "TMPDIR": folder.file("")])
    }

    private func write(_ bytes: some Sequence<UInt8>, _ name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: folder.file(name)))
        return folder.file(name)
    }

    @Test(arguments: [har, cassette], [["list"], ["stats"], ["search", "a"], ["show", "~s"], ["curl", "~s"]])
    func everyCommandReadsARecording(_ file: String, _ command: [String]) throws {
        let result = try run([command[0], file] + command.dropFirst())
        #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
        #expect(!result.output.isEmpty)
        // The temporary store is gone.
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.file(""))
        #expect(!left.contains { $0.hasPrefix("net-activity-") }, "\(left)")
    }

    @Test func theIDsOfAListAreThoseThatShowTakes() throws {
        let list = try run(["list", Self.har, "--json"])
        let line = try #require(list.lines.first)
        let id = try #require(line.firstMatch(of: /"uid":"([^"]+)"/)?.1 ?? line.firstMatch(of: /"id":"([^"]+)"/)?.1)
        let shown = try run(["show", Self.har, String(id)])
        #expect(shown.exitCode == 0, "\(shown.errors)\(line)")
    }

    @Test func theCommandsOfTheDoctorRun() throws {
        let entry = { (number: Int) in
            #"""
            {"startedDateTime":"2026-03-01T10:00:0\#(number)Z","time":5,"request":{"method":"GET","url":"https://a.test/x",
            "headers":[]},"response":{"status":500,"headers":[],"content":{"text":""}},"timings":{}}
            """#
        }
        let text = #"{"log":{"version":"1.2","entries":[\#((0..<5).map(entry).joined(separator: ","))]}}"#
        let file = try write(text.utf8, "five.har")
        let found = try run(["doctor", file])
        let line = try #require(found.lines.first { $0.contains("net-activity list") }, "\(found.output)")
        let words = line.trimmingCharacters(in: .whitespaces)
        let shell = try Command.run(
            "/bin/sh", ["-c", words.replacing("net-activity", with: Command.product("net-activity"))],
            environment: ["XDG_STATE_HOME": folder.file("state"), "TMPDIR": folder.file("")])
        #expect(shell.exitCode == 0, "\(words)\(shell.errors)")
        #expect(shell.output.contains("500"))
    }

    @Test(
        arguments: [
            ("a.yaml", "interactions:\n- request:\n    body: null\n", "import cassette"),
            ("b.yml", "---\nhttp_interactions:\n- request:\n", "import cassette"),
            ("c.json", #"{"interactions":[],"version":1}"#, "vcrpy"),
            ("d.json", #"{"http_interactions":[],"recorded_with":"betamax/0.9.0"}"#, "Betamax"),
            ("e.yaml", "---\nopenapi: 3.1.0\n", "YAML"), ("f.saz", "PK\u{3}\u{4}rest", "zip archive"),
            ("g.flow", "1234:8:websocket;", "mitmproxy"), ("h.html", "<!doctype html>", "HTML"),
            ("i.json", "[1,2]", "list in JSON"), ("j.txt", "some words", "neither a store nor"),
        ])
    func aFileOfAnotherKindIsNamed(_ name: String, _ text: String, _ words: String) throws {
        for command in ["list", "doctor", "report"] {
            let result = try run([command, try write(text.utf8, name)])
            #expect(result.exitCode == 3, "\(command): \(result.errors)")
            #expect(result.errors.contains(words), "\(command): \(result.errors)")
        }
    }

    @Test func aHARFileIsRecognizedByItsContentToo() throws {
        let copy = try write(Data(contentsOf: URL(filePath: Self.har)), "saved.json")
        #expect(try run(["list", copy, "--json"]).lines.count == 7)
        #expect(try run(["doctor", copy]).exitCode <= 1)
    }

    @Test func aContractsReportIsOnlyAReport() throws {
        let file = try write(#"{"expectations":[],"violations":[]}"#.utf8, "contract.json")
        let result = try run(["list", file])
        #expect(result.exitCode == 2)
        #expect(result.errors.contains("only `report` reads it"), "\(result.errors)")
    }

    @Test func aResponseThatABrowserHadInItsCacheIsNoTest() throws {
        let text = #"""
            {"log":{"version":"1.2","entries":[{"startedDateTime":"2026-03-01T10:00:00Z","time":5,
            "request":{"method":"GET","url":"https://a.test/x","headers":[{"name":"If-None-Match","value":"\"1\""}]},
            "response":{"status":304,"headers":[],"content":{"size":0}},"timings":{}}]}}
            """#
        let file = try write(text.utf8, "a.har")
        let result = try run(["export", "test", file, "~s", "-o", folder.file("out")])
        #expect(result.exitCode == 1, "\(result.output)")
        #expect(result.errors.contains("cache turned off"), "\(result.errors)")
    }
}
#endif
