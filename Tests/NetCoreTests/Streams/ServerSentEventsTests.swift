import HTTPTypes
import NetCore
import Synchronization
import Testing

@Suite struct ServerSentEventsTests {
    private struct Tick: Codable, Sendable, Equatable { let count: Int }

    @Test func eventsComeInOrderAcrossChunks() async throws {
        let source = ScriptedSource(["data: on", "e\n\nid: 7\nretry: 250\nevent: tick\nda", "ta: two\n\n", "data: cut"])
        let events = ServerSentEvents(ResponseBody(source: source))
        var seen: [String] = []
        for try await event in events { seen.append("\(event.event) \(event.data) \(event.lastEventID)") }
        #expect(seen == ["message one ", "tick two 7"])
        #expect(events.lastEventID == "7")
        #expect(events.reconnectionTime == .milliseconds(250))
    }

    @Test func aCompleteBodyIsReadToo() async throws {
        let events = ServerSentEvents(ResponseBody(Bytes("data: 1\n\ndata: 2\n\n".utf8)))
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next()?.data == "1")
        #expect(try await iterator.next()?.data == "2")
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test func aSecondLoopGoesOnWhereTheFirstStopped() async throws {
        let events = ServerSentEvents(ResponseBody(source: ScriptedSource(["data: 1\n\ndata: 2\n\n", "data: 3\n\n"])))
        for try await _ in events { break }
        var rest: [String] = []
        for try await event in events { rest.append(event.data) }
        #expect(rest == ["2", "3"])
    }

    @Test func aFailedTransferThrowsAfterTheEventsBeforeIt() async throws {
        let source = ScriptedSource(
            ["data: 1\n\ndata: 2"], failure: NetError(.connectionLost, phase: .receiving, message: "gone"))
        var iterator = ServerSentEvents(ResponseBody(source: source)).makeAsyncIterator()
        #expect(try await iterator.next()?.data == "1")
        await #expect { try await iterator.next() } throws: { ($0 as? NetError)?.code == .connectionLost }
        #expect(try await iterator.next() == nil)
    }

    @Test func droppingTheSequenceDropsTheSource() async throws {
        weak var watched: ScriptedSource?
        do {
            let source = ScriptedSource(["data: 1\n\n", "data: 2\n\n"])
            watched = source
            let events = ServerSentEvents(ResponseBody(source: source))
            for try await event in events {
                #expect(event.data == "1")
                break
            }
            #expect(watched != nil)
            withExtendedLifetime((events, source)) {}
        }
        #expect(watched == nil)
    }

    @Test func typedEventsAreDecodedWithTheClientsCoders() async throws {
        let serializer = ResponseSerializer.serverSentEvents(of: Tick.self)
        #expect(serializer.accept == "text/event-stream")
        let body = ResponseBody(Bytes("data: {\"count\":1}\n\ndata: {\ndata: \"count\": 2}\n\n".utf8))
        let ticks = try serializer.streamedValue(of: body)
        var seen: [Tick] = []
        for try await tick in ticks { seen.append(tick) }
        #expect(seen == [Tick(count: 1), Tick(count: 2)])
    }

    @Test func aBadEventNamesItsCallWhichFails() async throws {
        let call = CallSummary(id: CallID(high: 0, low: 7), method: .get, url: "https://h/x")
        let ends = Mutex<[String]>([])
        let body = ResponseBody(source: ScriptedSource(["data: nonsense\n\n"]))
            .onEnd(
                filling: { $0.filling(call: call, elapsed: .zero) },
                { end in
                    var text = "\(end)"
                    if case .failed(let error, _) = end { text = "\(error.code)" }
                    ends.withLock { $0.append(text) }
                })
        let ticks = try ResponseSerializer.serverSentEvents(of: Tick.self).streamedValue(of: body)
        let error = await #expect(throws: NetError.self) { for try await _ in ticks {} }
        #expect(error?.call == call)
        #expect(ends.withLock { $0 } == ["decoding"])
    }

    @Test func aBadEventNamesItsNumberAndEndsTheTransfer() async throws {
        let source = ScriptedSource([
            "data: {\"count\":1}\n\n", "event: tick\ndata: nonsense\n\n", "data: {\"count\":3}\n\n",
        ])
        let ticks = try ResponseSerializer.serverSentEvents(of: Tick.self)
            .streamedValue(of: ResponseBody(source: source))
        var iterator = ticks.makeAsyncIterator()
        #expect(try await iterator.next() == Tick(count: 1))
        let error = await #expect(throws: NetError.self) { try await iterator.next() }
        #expect(error?.code == .decoding)
        #expect(error?.message.hasPrefix("the data of event 2 (\"tick\") can't be decoded as Tick") == true)
        #expect(source.isCancelled)
        #expect(try await iterator.next() == nil)
    }

    @Test func aSentinelEndsTheStreamAndTheTransfer() async throws {
        let source = ScriptedSource(["data: {\"count\":1}\n\ndata: [DONE]\n\n", "data: never read\n\n"])
        let ticks = try ResponseSerializer.serverSentEvents(of: Tick.self, until: "[DONE]")
            .streamedValue(of: ResponseBody(source: source))
        var seen = 0
        for try await _ in ticks { seen += 1 }
        #expect(seen == 1)
        #expect(source.isCancelled)
    }

    @Test(arguments: ["", "text/html; charset=utf-8", "text/event-streams", "text/event-stream-x", "application/json"])
    func anotherContentTypeIsNoEventStream(type: String) throws {
        let body = ResponseBody(Bytes("data: 1\n\n".utf8))
        let name = MediaType(type)?.essence ?? "malformed"
        let plain = #expect(throws: NetError.self) {
            try ResponseSerializer.serverSentEvents.streamedValue(of: body, type: type)
        }
        #expect(plain?.code == .decoding)
        #expect(plain?.message.contains("content type is \(name)") == true)
        let decoded = #expect(throws: NetError.self) {
            try ResponseSerializer.serverSentEvents(of: Tick.self).streamedValue(of: body, type: type)
        }
        #expect(decoded?.message == plain?.message)
    }

    @Test(arguments: ["text/event-stream", "Text/Event-Stream;charset=utf-8", "text/event-stream;", nil])
    func anEventStreamIsOneHoweverItsTypeIsWrittenOrNot(type: String?) async throws {
        let body = ResponseBody(Bytes("data: 1\n\n".utf8))
        let events = try ResponseSerializer.serverSentEvents.streamedValue(of: body, type: type)
        for try await event in events { #expect(event.data == "1") }
        let none = try ResponseSerializer.serverSentEvents.streamedValue(
            of: ResponseBody(), status: .noContent, type: nil)
        for try await event in none { Issue.record("\(event)") }
    }

    @Test func anEventPastTheLimitThrows() async throws {
        let body = ResponseBody(Bytes("data: 0123456789\n\n".utf8))
        let events = try ResponseSerializer.serverSentEvents(maximumEventBytes: 8).streamedValue(of: body)
        var iterator = events.makeAsyncIterator()
        let error = await #expect(throws: NetError.self) { try await iterator.next() }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test func twoReadersAtOnceAreToldSo() async throws {
        let source = ScriptedSource([], waits: true)
        let events = ServerSentEvents(ResponseBody(source: source))
        let first = Task {
            var iterator = events.makeAsyncIterator()
            return try await iterator.next()
        }
        await source.waitUntilRead()
        var second = events.makeAsyncIterator()
        let error = await #expect(throws: NetError.self) { try await second.next() }
        #expect(error?.code == .unsupported)
        first.cancel()
        let result = await first.result
        #expect(throws: NetError.self) { try result.get() }
    }
}
