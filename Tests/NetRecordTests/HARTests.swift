import Foundation
import HTTPTypes
import NetCore
import NetRecord
import Testing

struct HARTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var cassette: Cassette {
        var sample = RecordedExchange.sample()
        sample.request.fields[.cookie] = "a=1; b=2"
        let noise = RecordedBody(Bytes((0..<300).map { UInt8(truncatingIfNeeded: $0) }))
        return Cassette([sample, .failed, .get("http://a.test/x.png", body: noise, type: "image/png")])
    }

    @Test func whatIsExportedComesBack() throws {
        try cassette.write(to: folder.file("all.har"))
        #expect(try Cassette.read(from: folder.file("all.har")).exchanges == cassette.exchanges)
    }

    /// The shared data is not part of the package; neither is Python's validator.
    @Test func theExportFulfilsTheSchema() throws {
        guard let data = ProcessInfo.processInfo.environment["NET_DATA"],
            FileManager.default.fileExists(atPath: "\(data)/conformance/har/har.json")
        else { return print("skipped: the HAR schema is absent (NET_DATA)") }
        try cassette.write(to: folder.file("all.har"))
        let script = """
            import json, pathlib, sys
            try:
                import jsonschema
            except ImportError:
                print("skipped: python3-jsonschema is not installed"); sys.exit(0)
            folder = pathlib.Path(sys.argv[1])
            store = {p.name: json.loads(p.read_text()) for p in folder.glob("*.json")}
            store.update({v["$id"]: v for v in list(store.values()) if "$id" in v})
            schema = store["har.json"]
            resolver = jsonschema.RefResolver("har.json", schema, store=store)
            har = json.loads(pathlib.Path(sys.argv[2]).read_text())
            validate = jsonschema.Draft7Validator(schema, resolver=resolver)
            problems = list(validate.iter_errors(har))
            for problem in problems: print(list(problem.absolute_path), problem.message)
            del har["log"]["entries"][0]["timings"]
            if not list(validate.iter_errors(har)): print("the validator accepts anything"); sys.exit(1)
            sys.exit(1 if problems else 0)
            """
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-W", "ignore", "-c", script, "\(data)/conformance/har", folder.file("all.har"),
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        do { try process.run() } catch { return print("skipped: python3 is not installed") }
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(output)")
    }

    @Test func aBrowsersFileIsReadWithWhatItAddsAndLeavesOut() throws {
        let text = #"""
            {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"}, "pages": [],
             "entries": [
              {"_initiator": {"type": "script"}, "startedDateTime": "2026-01-01T00:00:00.250+01:00", "time": 40.5,
               "request": {"method": "POST", "url": "https://a.test/login?x=1", "httpVersion": "h2",
                "headers": [{"name": ":authority", "value": "a.test"}, {"name": "Accept", "value": "*/*"}],
                "postData": {"mimeType": "application/x-www-form-urlencoded",
                 "params": [{"name": "user", "value": "ada b"}, {"name": "n", "value": "1"}]}},
               "response": {"status": 200, "statusText": "", "httpVersion": "http/2.0", "headers": [],
                "content": {"size": 3, "mimeType": "image/gif", "text": "AAEC\n", "encoding": "base64"}}},
              {"startedDateTime": "bad", "request": {"method": "GET", "url": "https://a.test/"},
               "response": {"status": 0, "_error": "net::ERR_NAME_NOT_RESOLVED"}},
              {"request": {"method": "GET", "url": "https://a.test/big"},
               "response": {"status": 200, "content": {"size": 70000, "mimeType": "text/plain"}}}
             ]}}
            """#
        let cassette = try Cassette.read(from: folder.write(text, to: "chrome.har"))
        #expect(cassette.lines == [3, 10, 12])
        let first = cassette.exchanges[0]
        #expect(first.duration == .microseconds(40_500))
        #expect(first.recordedAt.timeIntervalSince1970 == 1_767_222_000.25)
        #expect(first.request.fields.count == 1)
        #expect(first.request.body.bytes.elementsEqual("user=ada+b&n=1".utf8))
        #expect(first.response?.version == "2" && first.response?.body.bytes.elementsEqual([0, 1, 2]) == true)
        #expect(
            cassette.exchanges[1].outcome
                == .failure(.init(code: "connectionLost", message: "net::ERR_NAME_NOT_RESOLVED")))
        #expect(cassette.exchanges[2].response?.body.isCut == true)
    }

    @Test func aBrokenFileNamesThePlace() throws {
        let path = try folder.write(
            #"{"log": {"entries": [{"request": {}, "response": {"status": 200}}]}}"#, to: "b.har")
        #expect(readFailure(path)?.place == "log.entries[0].request")
        #expect(readFailure(path)?.problem == "the member \"method\" is missing")
    }
}
