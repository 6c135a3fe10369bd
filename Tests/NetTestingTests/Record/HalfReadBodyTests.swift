import Foundation
import NetCore
import NetTesting
import Testing

/// Bodies that weren't read to their end: their recordings never replay as complete.
@Suite(.timeLimit(.minutes(1)))
struct HalfReadBodyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Records a streamed call whose consumer reads some chunks and leaves; then replays it completely.
    private func replay(
        _ stub: Stub, reading count: Int, in name: String, delivery: BodyDelivery = .streamed
    ) async throws -> Result<String, NetError> {
        let recording = RecordingTransport(MockTransport([stub]))
        let call = RecordCall("/s", delivery: .streamed)
        do {
            var body = try await recording.execute(call.request, context: call.context).body.makeAsyncIterator()
            for _ in 0..<count { _ = try await body.next() }
        }
        try recording.write(to: folder.file(name))
        let replay = try ReplayTransport(cassette: folder.file(name), mode: .none)
        do throws(NetError) {
            return .success(try await RecordCall("/s", delivery: delivery).text(replay))
        } catch {
            return .failure(error)
        }
    }

    private static let events = ["data: 1\n\n", "data: 2\n\n", "data: 3\n\n"]

    @Test(arguments: ["tape.json", "tape.har"], [BodyDelivery.streamed, .collected(upTo: 1000)])
    func aBodyThatWasLeftEndsWithAnError(_ name: String, _ delivery: BodyDelivery) async throws {
        let plain = Stub(.get, "/s", .chunks(["one", "two", "three"], length: 11))
        let stream = Stub(.get, "/s", .chunks(Self.events.map { StubChunk($0) }, contentType: "text/event-stream"))
        for stub in [plain, stream] {
            let result = try await replay(stub, reading: 2, in: name, delivery: delivery)
            let error = #expect(throws: NetError.self) { try result.get() }
            #expect(error?.code == .unsupported)
            #expect(error?.message.contains("where its reader left the body; record it again") == true)
        }
    }

    @Test func aBodyThatArrivedWholeIsWholeThoughNobodyWaitedForItsEnd() async throws {
        let stub = Stub(.get, "/s", .chunks(["one", "two"], length: 6))
        #expect(try await replay(stub, reading: 2, in: "tape.json").get() == "onetwo")
        let none = Stub(.get, "/s", .status(.noContent))
        #expect(try await replay(none, reading: 0, in: "tape.json").get() == "")
    }

    @Test func aBodyThatNobodyReadReplaysForWhoeverDoesNotReadItEither() async throws {
        let result = try await replay(Stub(.get, "/s", .text("hello")), reading: 0, in: "tape.json")
        #expect(throws: NetError.self) { try result.get() }
        let replay = try ReplayTransport(cassette: folder.file("tape.json"), mode: .none)
        let call = RecordCall("/s", delivery: .streamed)
        #expect(try await replay.execute(call.request, context: call.context).head.status == .ok)
    }

    @Test func aCancelledReaderLeavesAHalfRecording() async throws {
        let clock = TestClock()
        let chunks = [StubChunk("one"), StubChunk("two", after: .seconds(60))]
        let recording = RecordingTransport(MockTransport([Stub(.get, "/s", .chunks(chunks, length: 6))]))
        let call = RecordCall("/s", delivery: .streamed, clock: clock)
        let task = Task { try await call.text(recording) }
        try await clock.waitForSleepers(count: 1)
        task.cancel()
        await #expect(throws: NetError.self) { try await task.value }
        try recording.write(to: folder.file("tape.json"))
        let replay = try ReplayTransport(cassette: folder.file("tape.json"), mode: .none)
        #expect(await RecordCall("/s").failure(replay)?.code == .unsupported)
    }

    @Test func resetAlsoForgetsCallsInProgress() async throws {
        let recording = RecordingTransport(MockTransport([Stub(.get, "/s", .chunks(["one", "two"], length: 6))]))
        let call = RecordCall("/s", delivery: .streamed)
        let response = try await recording.execute(call.request, context: call.context)
        recording.reset()
        #expect(try await response.body.collect(upTo: 10).count == 6)
        #expect(recording.recordedCount == 0)
        _ = try await call.text(recording)
        #expect(recording.recordedCount == 1)
    }

    @Test func aSecretIsHiddenAlsoWhereTheBodyWasCutInIt() async throws {
        let stub = Stub(.get, "/s", .chunks(["{\"access_token\": \"PLANT", "ED\"}"], contentType: "application/json"))
        _ = try await replay(stub, reading: 1, in: "tape.json")
        #expect(!(try folder.text("tape.json")).contains("PLANT"))
    }

    @Test func theReaderHasTheFirstChunkBeforeTheSecondIsSent() async throws {
        let clock = TestClock()
        let chunks = [StubChunk("one"), StubChunk("two", after: .seconds(60))]
        let recording = RecordingTransport(MockTransport([Stub(.get, "/s", .chunks(chunks))]))
        let call = RecordCall("/s", delivery: .streamed, clock: clock)
        var body = try await recording.execute(call.request, context: call.context).body.makeAsyncIterator()
        let first = try await body.next()
        #expect(first?.elementsEqual("one".utf8) == true)
        #expect(clock.now == .zero)
    }

    @Test func aRequestBodyThatTheServerDidNotReadWholeMatchesItsBeginning() async throws {
        let early = MockTransport([
            .streaming(.post, "/s") { _, body in
                var reader = body.makeAsyncIterator()
                _ = try await reader.next()
                return .text("enough")
            }
        ])
        let recording = RecordingTransport(early)
        let call = RecordCall("/s", chunks: ["first ", "second"])
        #expect(try await call.text(recording) == "enough")
        try recording.write(to: folder.file("tape.json"))
        let replay = try ReplayTransport(cassette: folder.file("tape.json"), mode: .none)
        #expect(try await RecordCall("/s", body: "first second").text(replay) == "enough")
    }
}
