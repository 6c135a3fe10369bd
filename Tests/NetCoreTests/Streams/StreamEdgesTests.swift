import HTTPTypes
import TestSupport
import Testing

@testable import NetCore

@Suite(.timeLimit(.minutes(1))) struct LinesTests {
    private func body(_ chunks: [[UInt8]], end: NetError? = nil) -> ResponseBody {
        ResponseBody(source: HeldSource(chunks.map { String(decoding: $0, as: UTF8.self) }, end: end))
    }

    private func lines(_ body: ResponseBody, charset: Charset = .utf8, limit: Int = 100) async throws -> [String] {
        var lines: [String] = []
        for try await line in body.lines(maximumLineBytes: limit, charset: charset) { lines.append(line) }
        return lines
    }

    private func lines(_ text: String) async throws -> [String] { try await lines(ResponseBody(Bytes(text.utf8))) }

    @Test func linesEndInEveryWay() async throws {
        #expect(try await lines("a\nb\rc\r\nd") == ["a", "b", "c", "d"])
        #expect(try await lines("a\n\n\r\r\nb\n") == ["a", "", "", "", "b"])
        #expect(try await lines("") == [])
        #expect(try await lines("\n") == [""])
        #expect(try await lines("\u{feff}a\n\u{feff}b") == ["a", "\u{feff}b"])
        #expect(try await lines("\u{feff}") == [])
        #expect(try await lines("\u{feff}\n") == [""])
        #expect(
            try await lines(ResponseBody(source: HeldSource(["a\r", "\nb", "\r", "c", "d\n"]))) == ["a", "b", "cd"])
    }

    @Test func linesAreReadInTheirCharset() async throws {
        let latin = ResponseBody(Bytes([0xe9, 10, 0xe8]))
        #expect(try await lines(latin, charset: .latin1) == ["é", "è"])
        #expect(try await lines(latin) == ["\u{fffd}", "\u{fffd}"])
        let marked = ResponseBody(Bytes([0xef, 0xbb, 0xbf, 0x41]))
        #expect(try await lines(marked, charset: .latin1) == ["ï»¿A"], "a mark of UTF-8 is none there")
        #expect(try await lines(latin, charset: .ascii) == ["\u{fffd}", "\u{fffd}"])
        let error = await #expect(throws: NetError.self) { try await lines(latin, charset: .utf16) }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("utf-16") == true)
    }

    @Test func aLineHasALimitAndAnErrorEndsTheLines() async throws {
        #expect(try await lines(ResponseBody(Bytes("abc\nde".utf8)), limit: 3) == ["abc", "de"])
        let error = await #expect(throws: NetError.self) {
            try await lines(ResponseBody(Bytes("ab\nabcd".utf8)), limit: 3)
        }
        #expect(error?.code == .bodyTooLarge)
        let source = HeldSource(["ab\ncd"], end: NetError(.connectionLost, phase: .receiving, message: "m"))
        var iterator = ResponseBody(source: source).lines().makeAsyncIterator()
        #expect(try await iterator.next() == "ab")
        await #expect(throws: NetError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
        #expect(source.cancellations > 0)
    }

    @Test func theCharsetOfTheHeadIsUsedUnlessAnotherIsChosen() async throws {
        func read(_ serializer: ResponseSerializer<ResponseBody.Lines>, _ type: String?) async throws -> String? {
            let head = ResponseHead(status: .ok, headers: type.map { [.contentType: $0] } ?? [:])
            let lines = try serializer.convert(head, [0xe9], SerializationContext())
            var iterator = lines.makeAsyncIterator()
            return try await iterator.next()
        }
        #expect(try await read(.lines, "text/plain; charset=latin1") == "é")
        #expect(try await read(.lines, nil) == "\u{fffd}")
        #expect(try await read(.lines(charset: .latin1), "text/plain; charset=utf-8") == "é")
        await #expect(throws: UnreadableText.self) { try await read(.lines, "text/plain; charset=koi8-r") }
        #expect(try await read(.lines(charset: .latin1), "text/plain; charset=koi8-r") == "é")
        #expect(ResponseSerializer.lines.accept == "text/plain, */*;q=0.1")
    }

    @Test func aParserKeepsWhatIsNoLineYet() throws {
        var parser = LineParser(maximumLineBytes: 4)
        var input = Bytes("abc".utf8)
        #expect(try parser.next(from: &input) == nil)
        #expect(parser.pendingBytes == 3)
        #expect(input.isEmpty)
        input = Bytes("d\rxy".utf8)
        #expect(try parser.next(from: &input) == Bytes("abcd".utf8))
        #expect(parser.pendingBytes == 0)
        #expect(input == Bytes("xy".utf8))
        #expect(parser.finish() == nil)
        input = Bytes("\nz\n".utf8)
        #expect(try parser.next(from: &input)?.isEmpty == false)
        var records = LineParser(maximumLineBytes: 9, separator: .recordSeparator)
        input = Bytes("a\n\u{1e}b\r".utf8)
        #expect(try records.next(from: &input) == Bytes("a\n".utf8))
        #expect(try records.next(from: &input) == nil)
        #expect(records.finish() == Bytes("b\r".utf8))
        #expect(records.finish() == nil)
        var feeds = LineParser(maximumLineBytes: 9, separator: .lineFeed)
        input = Bytes("a\rb\n".utf8)
        #expect(try feeds.next(from: &input) == Bytes("a\rb".utf8))
        var long = LineParser(maximumLineBytes: 3)
        input = Bytes("ab".utf8)
        _ = try long.next(from: &input)
        input = Bytes("cd".utf8)
        #expect(throws: NetError.self) { try long.next(from: &input) }
        #expect(LineParser().maximumLineBytes == 16 << 20)
    }
}

@Suite(.timeLimit(.minutes(1))) struct JSONLineEdgesTests {
    private func records(_ text: String, _ framing: JSONFraming = .recordSeparators) async -> [String] {
        var found: [String] = []
        do {
            for try await value in ResponseBody(Bytes(text.utf8)).jsonLineResults(of: JSONValue.self, framing: framing)
            {
                switch value {
                case .success(let value): found.append("\(value)")
                case .failure(let error): found.append(error.message)
                }
            }
        } catch {
            found.append("thrown")
        }
        return found
    }

    @Test func recordsThatMayBeCutAreErrors() async {
        #expect(await records("\u{1e}1\n\u{1e}2") == ["1", "record 2 is cut off: it has no line end"])
        for end in [" ", "\t", "\r", "\n"] { #expect(await records("\u{1e}1\(end)") == ["1"]) }
        #expect(await records("\u{1e}[1]\u{1e} {\"a\":2}\u{1e}\"x\"") == ["[1]", "{\"a\":2}", "\"x\""])
        #expect(await records("\u{1e}true\u{1e} \u{1e}3\n") == ["record 1 is cut off: it has no line end", "3"])
    }

    @Test func linesAreCountedWithBlankOnesRecordsWithout() async {
        #expect(
            await records("1\n\n \t\r\nx\n2", .lines) == [
                "1",
                "line 4 can't be decoded as JSONValue: it is not valid JSON: this isn't a valid JSON value (byte 0)",
                "2",
            ])
        #expect(
            await records("\u{1e}\u{1e}1\n\u{1e}x\n").last?.hasPrefix("record 2 can't be decoded as JSONValue") == true)
        #expect(ResponseSerializer.jsonLines(of: Int.self).accept == "application/jsonl, application/x-ndjson")
        #expect(
            ResponseSerializer.jsonLines(of: Int.self, framing: .recordSeparators).accept
                == "application/json-seq")
        #expect(ResponseSerializer.jsonLineResults(of: Int.self).accept == "application/jsonl, application/x-ndjson")
        #expect(
            ResponseSerializer.jsonLineResults(of: Int.self, framing: .recordSeparators).accept
                == "application/json-seq")
    }

    @Test func anErrorEndsTheValues() async throws {
        var iterator = ResponseBody(source: HeldSource(["1\nx\n2\n", "3"])).jsonLines(of: Int.self).makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        await #expect(throws: NetError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }
}

@Suite(.timeLimit(.minutes(1))) struct ServerSentEventEdgesTests {
    private func events(_ text: String, limit: Int = 100) -> [String] {
        var parser = ServerSentEventParser(maximumEventBytes: limit, lastEventID: "0")
        var input = Bytes(text.utf8)
        var found: [String] = []
        do throws(NetError) {
            while let event = try parser.next(from: &input) {
                found.append(
                    "\(event.event)|\(event.data)|\(event.lastEventID)"
                        + (event.retry.map { "|\($0.seconds(places: 3))" } ?? ""))
            }
        } catch {
            found.append(error.code == .bodyTooLarge ? error.message.prefix { $0 != ";" }.description : "?")
        }
        return found.map { $0.replacing("\n", with: "~") }
    }

    @Test func fieldsOfEventsAreRead() {
        #expect(events("data: a\ndata:b\ndata\n\n") == ["message|a~b~|0"])
        #expect(events("event: x\nid: 7\nretry: 1500\ndata: a\n\n") == ["x|a|7|1.500"])
        #expect(events("id: 1\n\ndata: a\n\n") == ["message|a|1"])
        #expect(events("id\ndata: a\n\n") == ["message|a|"])
        #expect(events("id: a\0\ndata: a\n\n") == ["message|a|0"])
        #expect(events("event: x\n\ndata: a\n\n") == ["message|a|0"])
        #expect(events("event:\ndata: a\n\n") == ["message|a|0"])
        #expect(events(": comment\ndata: a\n\n") == ["message|a|0"])
        #expect(events("data:  a\n\n") == ["message| a|0"])
        #expect(events("data: a") == [])
        #expect(events("\n\n") == [])
        #expect(events("other: a\ndata: b\n\n") == ["message|b|0"])
        #expect(events("data\n\n") == ["message||0"])
        #expect(events("\u{feff}data: a\n\n") == ["message|a|0"])
        #expect(events("data: a\n\n\u{feff}data: b\n\n") == ["message|a|0"])
        for (text, retry) in [
            ("1", "|0.001"), ("", ""), ("1x", ""), ("-1", ""), ("/", ""), (":", ""), ("0", "|0.000"),
            ("99999999999999999999", "|9223372036.855"),
        ] {
            #expect(events("retry: \(text)\ndata: a\n\n") == ["message|a|0\(retry)"], "\(text)")
        }
    }

    @Test func eventsHaveALimit() {
        // The length of a line includes its name.
        #expect(events("data: abcd\n\n", limit: 10) == ["message|abcd|0"])
        #expect(events("data: abcd\n\n", limit: 9) == ["event 1 of the stream is larger than 9 bytes"])
        #expect(
            events("data: a\n\ndata: abcdefg\n\n", limit: 10) == [
                "message|a|0", "event 2 of the stream is larger than 10 bytes",
            ])
        #expect(events("data:abc\ndata:def\n\n", limit: 11) == ["message|abc~def|0"])
        #expect(events("data:abc\ndata:def\n\n", limit: 10) == ["event 1 of the stream is larger than 10 bytes"])
        var parser = ServerSentEventParser(maximumEventBytes: 10)
        var input = Bytes("data:abc\ndata:def".utf8)
        #expect(throws: NetError.self) { try parser.next(from: &input) }
        #expect(ServerSentEventParser().maximumEventBytes == 16 << 20)
    }

    @Test func aParserKnowsWhereItIs() throws {
        var parser = ServerSentEventParser()
        var input = Bytes("id: 1\nretry: 5\ndata: a\n\nid: 2\ndata: b".utf8)
        #expect(parser.lastEventID.isEmpty)
        #expect(parser.reconnectionTime == nil)
        #expect(parser.eventCount == 0)
        _ = try parser.next(from: &input)
        #expect(parser.lastEventID == "1")
        #expect(parser.reconnectionTime == .milliseconds(5))
        #expect(parser.eventCount == 1)
        #expect(try parser.next(from: &input) == nil, "an event that isn't whole doesn't count")
        #expect(parser.lastEventID == "1", "an event that isn't whole doesn't count")
        #expect(ServerSentEvent(data: "a") == ServerSentEvent(event: "message", data: "a", lastEventID: "", retry: nil))
    }

    @Test func aStreamIsOneByItsType() throws {
        func isRead(_ type: String?, _ status: Int = 200) -> Bool {
            let head = ResponseHead(status: .init(code: status), headers: type.map { [.contentType: $0] } ?? [:])
            let all = ResponseSerializer.serverSentEvents
            let typed = ResponseSerializer.serverSentEvents(of: Int.self)
            let isAll = (try? all.convert(head, [], SerializationContext())) != nil
            #expect(isAll == ((try? typed.convert(head, [], SerializationContext())) != nil))
            return isAll
        }
        #expect(isRead("text/event-stream; charset=utf-8"))
        #expect(isRead(nil))
        #expect(!isRead("text/html"))
        #expect(!isRead("nonsense"))
        #expect(isRead("text/html", 204))
        #expect(isRead("text/html", 205))
        #expect(!isRead("text/html", 206))
        #expect(!isRead("text/html", 203))
        #expect(ResponseSerializer.serverSentEvents.accept == "text/event-stream")
    }

    @Test func valuesEndAtTheirSentinel() async throws {
        let source = HeldSource(["data: 1\n\ndata: [DONE]\n\n", "data: 2\n\n"])
        let head = ResponseHead(status: .ok)
        guard
            case .streamed(let convert) = ResponseSerializer.serverSentEvents(of: Int.self, until: "[DONE]").conversion
        else { return }
        let events = try convert(head, ResponseBody(source: source), SerializationContext())
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        #expect(source.cancellations == 1)
        let wrong = try ResponseSerializer.serverSentEvents(of: Int.self).convert(
            head, Bytes("event: e\ndata: x\n\ndata: 1\n\n".utf8), SerializationContext())
        var failing = wrong.makeAsyncIterator()
        let error = await #expect(throws: NetError.self) { try await failing.next() }
        #expect(error?.code == .decoding)
        #expect(error?.message.hasPrefix("the data of event 1 (\"e\") can't be decoded as Int: ") == true)
        #expect(try await failing.next() == nil)
    }

    @Test func aStreamThatIsCancelledHasNoMoreEvents() async throws {
        let source = HeldSource(["id: 4\nretry: 7\ndata: a\n\ndata: b\n\n", "data: c\n\n"])
        let events = ServerSentEvents(ResponseBody(source: source), lastEventID: "3")
        #expect(events.lastEventID == "3")
        #expect(events.reconnectionTime == nil)
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next()?.data == "a")
        #expect(events.lastEventID == "4")
        #expect(events.reconnectionTime == .milliseconds(7))
        events.cancel()
        #expect(try await iterator.next() == nil)
        #expect(source.cancellations == 1)
        let other = HeldSource(["data: a\n\ndata: b\n\n"])
        let failing = ServerSentEvents(ResponseBody(source: other))
        #expect(failing.fail(NetError(.decoding, phase: .decoding, message: "m")).code == .decoding)
        #expect(other.cancellations == 1)
        var rest = failing.makeAsyncIterator()
        #expect(try await rest.next() == nil)
        let finished = HeldSource(["data: a\n\n"])
        let done = ServerSentEvents(ResponseBody(source: finished))
        done.finish()
        var none = done.makeAsyncIterator()
        #expect(try await none.next() == nil)
        #expect(finished.cancellations == 1)
    }
}
