import Foundation
import HTTPTypes
import NetCore
import NetRecord
import Testing

struct CassetteTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func everyKindOfBodyComesBackByteForByte() throws {
        let noise = Bytes((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let events = CapturedBody(pieces: [
            .init(Bytes("data: 1\n\n".utf8)), .init(Bytes([0x64, 0xc3]), after: .milliseconds(1500)),
            .init(Bytes([0xa4, 0x0a]), after: .microseconds(1)),
        ])
        var cut = CapturedBody(Bytes("begi".utf8))
        cut.isCut = true
        cut.failure = .init(code: "connectionLost", message: "gone")
        let cassette = Cassette([
            .sample(), .failed, .get("http://a.test/", body: CapturedBody(Bytes([0, 1, 255])), type: "image/png"),
            .get("http://a.test/large", body: CapturedBody(noise), type: "image/png"),
            .get("http://a.test/events", body: events, type: "text/event-stream"),
            .get("http://a.test/cut", body: cut, type: "text/plain"),
            .get("http://a.test/crlf", body: CapturedBody(Bytes("a\r\nb\r\n\r\n{\\\"\n".utf8)), type: "text/plain"),
        ])
        try cassette.write(to: folder.file("all.json"))
        let read = try Cassette.read(from: folder.file("all.json"))
        #expect(read.exchanges == cassette.exchanges)
        #expect(read.lines.count == 7)
        #expect(read.lines == read.lines.sorted())
        // Reading and writing again changes nothing, including the bodies beside it.
        let text = try folder.text("all.json")
        try read.write(to: folder.file("all.json"))
        #expect(try folder.text("all.json") == text)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("all.bodies")).count == 1)
    }

    @Test func theFileIsReadableAndSorted() throws {
        try Cassette([.sample()]).write(to: folder.file("one.json"))
        let text = try folder.text("one.json")
        #expect(
            text == #"""
                {
                  "exchanges": [
                    {
                      "milliseconds": 12.345,
                      "recordedAt": "2026-01-01T00:00:00Z",
                      "request": {
                        "body": {
                          "text": [
                            "{",
                            "\"q\":\"a\\nb\"}"
                          ]
                        },
                        "fields": [
                          "Content-Type: application/json",
                          "Accept: */*"
                        ],
                        "method": "POST",
                        "url": "https://api.test/users?page=2"
                      },
                      "response": {
                        "body": {
                          "text": [
                            "{",
                            "\"id\":7,",
                            "\"name\":\"Ada\"}"
                          ]
                        },
                        "fields": [
                          "Content-Type: application/json"
                        ],
                        "reason": "OK",
                        "status": 200,
                        "version": "2"
                      }
                    }
                  ],
                  "version": 1
                }

                """#)
    }

    @Test func aBodyFileThatIsNoLongerNamedGoesAway() throws {
        let noise = CapturedBody(Bytes((0..<9000).map { UInt8(truncatingIfNeeded: $0) }))
        try Cassette([.get("http://a.test/", body: noise, type: "image/png")]).write(to: folder.file("a.json"))
        try Data().write(to: URL(filePath: folder.file("a.bodies/mine.txt")))
        try Cassette([.sample()]).write(to: folder.file("a.json"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("a.bodies")) == ["mine.txt"])
    }

    @Test func aFileCutAnywhereGivesASentenceAndStaysAsItIs() throws {
        try Cassette([.sample(), .failed]).write(to: folder.file("whole.json"))
        let bytes = Array(try folder.text("whole.json").utf8)
        for count in 0..<bytes.count - 2 {
            let part = String(decoding: bytes[..<count], as: UTF8.self)
            let path = try folder.write(part, to: "cut.json")
            let error = try #require(readFailure(path), "cut after \(count) bytes")
            #expect(error.position != nil)
            #expect(error.description.contains("cut.json:"))
            if count % 97 == 0 {
                #expect(throws: RecordFileError.self) { try Cassette([.sample()]).write(to: path) }
                #expect(try folder.text("cut.json") == part)
            }
        }
    }

    @Test func aNewerVersionSaysSoAndIsNotOverwritten() throws {
        let path = try folder.write(#"{"version": 2, "tracks": []}"#, to: "new.json")
        let error = try #require(readFailure(path))
        #expect(
            error.description == "\(path):1:13: version: the file has version 2, newer than 1, the newest that this "
                + "library reads; update the library, or record the file again")
        #expect(throws: RecordFileError.self) { try Cassette().write(to: path) }
        #expect(try folder.text("new.json").contains("tracks"))
    }

    @Test(arguments: [
        ("\"status\": 200", "\"status\": \"ok\"", "exchanges[0].response.status", "expected a number, found text"),
        ("\"status\": 200", "\"status\": 2000", "exchanges[0].response.status", "three digits"),
        ("\"status\"", "\"staus\"", "exchanges[0].response", "unknown member \"staus\""),
        ("\"POST\"", "\"PO ST\"", "exchanges[0].request.method", "isn't an HTTP method"),
        ("https://api.test/users?page=2", "users", "exchanges[0].request.url", "whole URL"),
        ("\"Accept: */*\"", "\"Accept\"", "exchanges[0].request.fields[1]", "expected a header"),
        ("2026-01-01T", "2026-13-01T", "exchanges[0].recordedAt", "expected a time"),
        ("12.345", "-1", "exchanges[0].milliseconds", "zero or more"),
        ("12.345", "1e400", "exchanges[0].milliseconds", "JSON value cannot be read"),
        ("\"response\"", "\"answer\"", "exchanges[0]", "unknown member \"answer\""),
        ("\"text\"", "\"base64\"", "exchanges[0].request.body.base64", "isn't valid base64"),
        ("\"text\"", "\"file\"", "exchanges[0].request.body.file", "expected text, found a list"),
        ("\"version\": 1", "\"version\": 0.5", "version", "no such version"),
        ("12.345,", "12.345", "exchanges[0].milliseconds", "a comma or a closing brace is missing"),
    ])
    func aWrongEditIsNamedWithItsPlace(_ old: String, _ new: String, _ place: String, _ problem: String) throws {
        try Cassette([.sample()]).write(to: folder.file("edit.json"))
        let text = try folder.text("edit.json")
        let range = try #require(text.firstRange(of: old))
        let path = try folder.write(text.replacingCharacters(in: range, with: new), to: "edit.json")
        let error = try #require(readFailure(path))
        #expect(error.place == place)
        #expect(error.problem.contains(problem))
        #expect((error.position?.line ?? 0) >= 1)
        #expect(!error.advice.isEmpty)
    }

    @Test func aBodyFileCannotLeadOutOfItsFolder() throws {
        _ = try folder.write("secret", to: "secret.bin")
        try Cassette([.sample()]).write(to: folder.file("a.json"))
        let text = try folder.text("a.json").replacingOccurrences(
            of: "\"text\": [\n            \"{\",\n            \"\\\"q\\\":\\\"a\\\\nb\\\"}\"\n          ]",
            with: "\"file\": \"../secret.bin\"")
        #expect(text.contains("../secret.bin"))
        let error = readFailure(try folder.write(text, to: "a.json"))
        #expect(error?.problem.contains("no such file in the folder") == true)
    }

    @Test func deepNestingIsAnErrorAndNoCrash() throws {
        let path = try folder.write(String(repeating: "[", count: 100_000), to: "deep.json")
        #expect(readFailure(path)?.problem == "it is nested too deeply")
        #expect(readFailure(folder.file("absent.json"))?.problem == "there is no such file")
    }
}
