import Foundation
import HTTPTypes
import NetCore
import NetRecord
import Testing

struct HARTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var cassette: Cassette {
        var sample = CapturedExchange.sample()
        sample.request.headers[.cookie] = "a=1; b=2"
        let noise = CapturedBody(Bytes((0..<300).map { UInt8(truncatingIfNeeded: $0) }))
        return Cassette([sample, .failed, .get("http://a.test/x.png", body: noise, type: "image/png")])
    }

    @Test func exportedExchangesAreReadBackUnchanged() throws {
        try cassette.write(to: folder.file("all.har"))
        #expect(try Cassette.read(from: folder.file("all.har")).exchanges == cassette.exchanges)
    }

    @Test func thePausesOfAStreamAndItsTrailersComeBack() throws {
        var exchange = CapturedExchange.get(
            "http://a.test/events",
            body: CapturedBody(pieces: [
                .init(Bytes("data: 1\n\n".utf8)), .init(Bytes("data: \u{e9}".utf8), after: .microseconds(1_500_250)),
                .init(Bytes("\n\n".utf8), after: .seconds(2)),
            ]), type: "text/event-stream")
        guard case .response(var response) = exchange.outcome else { return }
        response.trailers = [.init("x-sum") ?? .cookie: "7"]
        exchange.outcome = .response(response)
        let noise = CapturedBody(pieces: [.init(Bytes([0xff, 0])), .init(Bytes([0xfe]), after: .milliseconds(1))])
        let cassette = Cassette([exchange, .get("http://a.test/n", body: noise, type: "text/event-stream")])
        try cassette.write(to: folder.file("events.har"))
        #expect(try Cassette.read(from: folder.file("events.har")).exchanges == cassette.exchanges)
    }

    @Test(arguments: [("\"size\": 2", "3"), ("\"size\": 2", "1"), ("\"size\": 2", "-1"), ("\"after\": 5", "-5")])
    func pausesThatDoNotFitTheTextAreSkipped(_ old: String, _ new: String) throws {
        let body = CapturedBody(pieces: [.init(Bytes("a".utf8)), .init(Bytes("bc".utf8), after: .milliseconds(5))])
        try Cassette([.get("http://a.test/", body: body, type: "text/event-stream")]).write(to: folder.file("e.har"))
        let name = old.prefix { $0 != ":" }
        let text = try folder.text("e.har").replacing(old, with: "\(name): \(new)")
        let cassette = try Cassette.read(from: folder.write(text, to: "e.har"))
        #expect(cassette.exchanges.first?.response?.body.bytes.elementsEqual("abc".utf8) == true)
        #expect(cassette.exchanges.first?.response?.body.isTimed == false)
        let remark = cassette.remarks.kept.first
        #expect(remark?.place.contains("content._stream") == true, "\(String(describing: remark))")
        #expect((remark?.line ?? 0) > 0, "\(String(describing: remark))")
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
        #expect(first.request.headers.count == 1)
        #expect(first.request.body.bytes.elementsEqual("user=ada+b&n=1".utf8))
        #expect(first.response?.version == "2")
        #expect(first.response?.body.bytes.elementsEqual([0, 1, 2]) == true)
        #expect(
            cassette.exchanges[1].outcome
                == .failure(.init(code: "dns", message: "net::ERR_NAME_NOT_RESOLVED")))
        #expect(cassette.exchanges[2].response?.body.isCut == true)
    }

    @Test func anEntryThatCannotBeReadIsSkippedAndNamed() throws {
        let path = try folder.write(
            #"{"log": {"entries": [{"request": {}, "response": {"status": 200}}]}}"#, to: "b.har")
        let cassette = try Cassette.read(from: path)
        #expect(cassette.exchanges.isEmpty)
        #expect(cassette.remarks.count(.skippedEntry) == 1)
        #expect(cassette.remarks.kept.first?.place == "log.entries[0].request")
        #expect(cassette.remarks.kept.first?.reason == "the member \"method\" is missing")
    }
}
