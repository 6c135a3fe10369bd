import Foundation
import HTTPTypes
import NetCore
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ReplayTransportTests {
    private let folder: TemporaryFolder
    private var file: String { folder.file("tape.json") }

    init() throws { folder = try TemporaryFolder() }

    /// Records calls with stubs.
    private func record(_ stubs: [Stub], _ calls: [RecordCall]) async throws {
        let recording = RecordingTransport(MockTransport(stubs))
        for call in calls { _ = try await call.text(recording) }
        try recording.write(to: file)
    }

    private static let orders = Stub(.post, "/orders") { request in
        .json(["echo": String(decoding: request.body, as: UTF8.self)])
    }

    @Test func theFirstUnusedEqualRequestAnswers() async throws {
        let count = Locked(0)
        let stub = Stub(.get, "/n") { _ in
            count.change { $0 += 1 }
            return .text("\(count.change { $0 })")
        }
        try await record([stub], [RecordCall("/n"), RecordCall("/n"), RecordCall("/n?a=1&b=2")])
        let replay = try ReplayTransport(cassette: file, mode: .none)
        #expect(try await RecordCall("/n?b=2&a=1").text(replay) == "3")
        #expect(try await RecordCall("/n").text(replay) == "1")
        #expect(replay.unusedExchanges == ["exchange 2 at \(file):26, GET http://api.test/n"])
        #expect(throws: NetError.self) { try replay.verify() }
        #expect(try await RecordCall("/n").text(replay) == "2")
        try replay.verify()
        let error = await RecordCall("/n").failure(replay)
        #expect(error?.message.contains("it has already been replayed") == true)
    }

    @Test func jsonBodiesAreComparedByValueAndStreamsAsBytes() async throws {
        try await record([Self.orders], [RecordCall("/orders", body: #"{"a":1,"b":[2]}"#)])
        let replay = try ReplayTransport(cassette: file, mode: .none)
        let error = await RecordCall("/orders", body: #"{"a":1,"b":[3]}"#).failure(replay)
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("the nearest is exchange 1 at \(file):3, POST http://api.test/orders") == true)
        #expect(error?.message.contains("the body at b[0] differs: recorded \"2\", sent \"3\"") == true)
        let streamed = RecordCall("/orders", body: #"{ "b": [2], "a": 1 }"#, isStreamed: true)
        #expect(try await streamed.text(replay).contains("echo"))
    }

    @Test func aSequentialReplayWantsTheRecordedOrder() async throws {
        try await record([Stub(.get, "/{x}", .text("x"))], [RecordCall("/a"), RecordCall("/b")])
        let replay = try ReplayTransport(cassette: file, mode: .none, rules: ReplayRules(isSequential: true))
        let error = await RecordCall("/b").failure(replay)
        #expect(error?.message.contains("the next in order is exchange 1") == true)
        #expect(error?.message.contains("the path differs: recorded \"/a\", sent \"/b\"") == true)
        #expect(try await RecordCall("/a").text(replay) == "x")
        #expect(try await RecordCall("/b").text(replay) == "x")
    }

    @Test func rulesCanLeaveOutAndAdd() async throws {
        try await record([Self.orders], [RecordCall("/orders", body: "one", headers: [.accept: "a"])])
        let rules = ReplayRules(parts: [.method, .path], headers: [.accept])
        let replay = try ReplayTransport(cassette: file, mode: .none, rules: rules)
        let error = await RecordCall("/orders", body: "two", headers: [.accept: "b"]).failure(replay)
        #expect(error?.message.contains("the field Accept differs: recorded \"a\", sent \"b\"") == true)
        #expect(try await RecordCall("/orders?x=1", body: "two", headers: [.accept: "a"]).text(replay).contains("one"))
    }

    @Test func modesRecordOnlyWhatTheySay() async throws {
        let mock = MockTransport([Stub(.get, "/{x}") { .text($0.path) }])
        let first = try ReplayTransport(cassette: file, mode: .once, over: mock, environment: ReplayEnvironment())
        _ = try await RecordCall("/a").text(first)
        try first.save()
        let second = try ReplayTransport(cassette: file, mode: .once, over: mock)
        #expect(try await RecordCall("/a").text(second) == "/a")
        #expect(await RecordCall("/b").failure(second)?.code == .invalidRequest)
        let third = try ReplayTransport(cassette: file, mode: .newEpisodes, over: mock)
        #expect(try await RecordCall("/a").text(third) == "/a")
        #expect(try await RecordCall("/b").text(third) == "/b")
        try third.save()
        #expect(mock.recordedRequests.map(\.path) == ["/a", "/b"])
        let offline = try ReplayTransport(cassette: file, mode: .none, over: mock)
        #expect(offline.unusedExchanges.count == 2)
        let fourth = try ReplayTransport(cassette: file, mode: .all, over: mock)
        #expect(try await RecordCall("/a").text(fourth) == "/a")
        try fourth.save()
        #expect(try ReplayTransport(cassette: file, mode: .none).unusedExchanges.count == 1)
        #expect(mock.recordedRequests.count == 3)
        #expect(throws: NetError.self) { try ReplayTransport(cassette: folder.file("no.json"), mode: .none) }
    }

    @Test(arguments: [ReplayTransport.Mode.once, .newEpisodes, .all, .none])
    func aBrokenFileIsReportedInEveryModeAndStays(_ mode: ReplayTransport.Mode) throws {
        try Data("{\"version\": 1,".utf8).write(to: URL(filePath: file))
        let error = #expect(throws: NetError.self) {
            try ReplayTransport(cassette: file, mode: mode, over: MockTransport())
        }
        #expect(error?.message.contains("tape.json:1:15: the file ends in the middle of it") == true)
        #expect(try folder.text("tape.json") == "{\"version\": 1,")
    }

    @Test func failuresAndBrokenBodiesHappenAgain() async throws {
        let broken = Stub(.get, "/b", .text("hello").dropping(.afterBodyBytes(3)))
        let mock = MockTransport { _, context in
            throw context.error(.dns, phase: .resolving, message: "no such host")
        }
        for transport in [mock, MockTransport([broken])] {
            let recording = RecordingTransport(transport)
            let call = RecordCall("/b", delivery: .streamed)
            let first = await call.failure(recording)
            try recording.write(to: file)
            let second = await call.failure(try ReplayTransport(cassette: file, mode: .none))
            #expect(first != nil)
            #expect(second?.code == first?.code)
        }
    }

    @Test func aHARFileReplaysToo() async throws {
        let recording = RecordingTransport(MockTransport([Self.orders]))
        _ = try await RecordCall("/orders", body: "x").text(recording)
        try recording.write(to: folder.file("tape.har"))
        let replay = try ReplayTransport(cassette: folder.file("tape.har"), mode: .none)
        #expect(try await RecordCall("/orders", body: "x").text(replay) == #"{"echo":"x"}"#)
    }

    @Test func aBodyOverTheLimitReachesTheReaderButDoesNotReplay() async throws {
        let recording = RecordingTransport(MockTransport([Stub(.get, "/l", .text("0123456789"))]), maximumBodyBytes: 4)
        #expect(try await RecordCall("/l", delivery: .streamed).text(recording) == "0123456789")
        try recording.write(to: file)
        #expect(try folder.text("tape.json").contains("\"0123\""))
        let error = await RecordCall("/l").failure(try ReplayTransport(cassette: file, mode: .none))
        #expect(error?.message.contains("holds only 4 bytes") == true)
    }

    @Test func partlyReadBodiesAreRecordedUpToTheLastChunkRead() async throws {
        let stub = Stub(.post, "/s", .chunks(["one", "two", "three"], length: 11))
        let recording = RecordingTransport(MockTransport([stub]))
        let call = RecordCall("/s", body: "sent in pieces", isStreamed: true, delivery: .streamed)
        do {
            var body = try await recording.execute(call.request, context: call.context).body.makeAsyncIterator()
            #expect(try await body.next()?.elementsEqual("one".utf8) == true)
            #expect(recording.recordedCount == 0)
        }
        #expect(recording.recordedCount == 1)
        try recording.write(to: file)
        let replay = try ReplayTransport(cassette: file, mode: .none)
        let again = RecordCall("/s", body: "sent in pieces", delivery: .streamed)
        var body = try await replay.execute(again.request, context: again.context).body.makeAsyncIterator()
        let first = try await body.next()
        #expect(first?.elementsEqual("one".utf8) == true)
        do {
            _ = try await body.next()
            Issue.record("a body that was half read must not end as if it were whole")
        } catch {
            #expect(error.code == .unsupported)
            #expect(error.message.contains("the recording ends after 3 bytes"))
        }
        recording.reset()
        #expect(recording.recordedCount == 0)
    }

    @Test func aCompressedCallOfABrowserReplaysDecoded() async throws {
        let text = #"""
            {"log": {"entries": [{
              "request": {"method": "GET", "url": "HTTP://API.test:80/z"},
              "response": {"status": 200, "content": {"size": 12, "text": "hello, world"}, "_error": null, "headers": [
                {"name": "Content-Length", "value": "7"}, {"name": "Content-Encoding", "value": "gzip"}]}}]}}
            """#
        try Data(text.utf8).write(to: URL(filePath: folder.file("z.har")))
        let replay = try ReplayTransport(cassette: folder.file("z.har"), mode: .none)
        #expect(try await RecordCall("/z").text(replay) == "hello, world")
    }

    @Test func aMissShowsNoSecrets() async throws {
        try await record([Self.orders], [RecordCall("/orders?token=PLANTED1", body: #"{"secret":"PLANTED2","n":1}"#)])
        #expect(!(try folder.text("tape.json")).contains("PLANTED1"))
        let rules = ReplayRules(headers: [.authorization, .accept])
        let replay = try ReplayTransport(cassette: file, mode: .none, rules: rules)
        let call = RecordCall(
            "/orders?token=PLANTED3", body: #"{"secret":"PLANTED4","n":2}"#,
            headers: [.authorization: "PLANTED5", .accept: "a"])
        let error = try #require(await call.failure(replay))
        #expect(error.message.contains("the body at n differs"))
        #expect(error.message.contains("the field Authorization"))
        #expect(!"\(error)".contains("PLANTED"))
        #expect(error.message.contains("query") == false)
    }

    @Test(arguments: [(ReplayTransport.Timing.immediate, 0.0), (.scaled(0.5), 45), (.real, 90)])
    func eventsKeepTheirPausesAsTold(_ timing: ReplayTransport.Timing, _ seconds: Double) async throws {
        let clock = TestClock()
        let chunks = (0..<3).map { StubChunk("data: \($0)\n\n", after: .seconds(30)) }
        let recording = RecordingTransport(
            MockTransport([Stub(.get, "/e", .chunks(chunks, contentType: "text/event-stream"))]))
        let call = RecordCall("/e", delivery: .streamed, clock: clock)
        _ = try await clock.run { try await call.text(recording) }
        try recording.write(to: file)
        let replay = try ReplayTransport(cassette: file, mode: .none, timing: timing)
        let later = TestClock()
        let text = try await later.run {
            try await RecordCall("/e", delivery: .streamed, clock: later).text(replay)
        }
        #expect(text == "data: 0\n\ndata: 1\n\ndata: 2\n\n")
        #expect(later.now == .seconds(seconds))
    }

    /// Writes a browser's file with one entry.
    private func har(_ response: String) throws -> String {
        let text = #"""
            {"log":{"version":"1.2","creator":{"name":"Firefox","version":"1"},"entries":[
            {"startedDateTime":"2026-03-01T10:00:00Z","time":1,"request":{"method":"GET","url":"http://api.test/x",
            "headers":[{"name":"If-None-Match","value":"\"1\""}]},"response":\#(response),"timings":{}},{"request":7}]}}
            """#
        try Data(text.utf8).write(to: URL(filePath: folder.file("a.har")))
        return folder.file("a.har")
    }

    @Test(
        arguments: [
            (#"{"status":304,"headers":[]}"#, "invalidRequest", "a browser had that in its cache"),
            (
                #"{"status":0,"headers":[{"name":"A","value":"1"}],"content":{"text":"hi"}}"#, "invalidRequest",
                "no status"
            ),
            (#"{"status":0,"_error":"net::ERR_ABORTED"}"#, "unsupported", "gave it up"),
            (#"{"status":0}"#, "connectionLost", "no response was recorded"),
            (#"{"status":0,"_error":"net::ERR_NAME_NOT_RESOLVED"}"#, "dns", "ERR_NAME_NOT_RESOLVED"),
        ])
    func aBrowsersFileWithoutTheResponseSaysWhy(_ response: String, _ code: String, _ words: String) async throws {
        let replay = try ReplayTransport(cassette: try har(response), mode: .none)
        let error = await RecordCall("/x").failure(replay)
        #expect(error?.code.rawValue == code)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "none")")
    }

    @Test func aSkippedEntryIsNamedByTheRequestThatMissesIt() async throws {
        let replay = try ReplayTransport(cassette: try har(#"{"status":200}"#), mode: .none)
        let error = await RecordCall("/other").failure(replay)
        #expect(error?.message.contains("1 entry was skipped: log.entries[1]") == true, "\(error?.message ?? "none")")
    }
}
