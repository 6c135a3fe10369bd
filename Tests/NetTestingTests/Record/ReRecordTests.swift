import Foundation
import NetCore
import NetTesting
import Testing

/// A recording that is too old: recorded again, or kept if the network is unavailable.
@Suite(.timeLimit(.minutes(1)))
struct ReRecordTests {
    private let folder: TemporaryFolder
    private let clock = TestClock()
    private var file: String { folder.file("tape.json") }

    init() throws { folder = try TemporaryFolder() }

    private func call(_ path: String, body: String? = nil) -> RecordCall { RecordCall(path, body: body, clock: clock) }

    private func record(_ stubs: [Stub], _ paths: [String]) async throws {
        let recording = RecordingTransport(MockTransport(stubs))
        for path in paths { _ = try await call(path).text(recording) }
        try recording.write(to: file)
    }

    private func open(
        after: Duration? = .seconds(86_400), mode: ReplayTransport.Mode = .once, over transport: (any HTTPTransport)?,
        _ environment: ReplayEnvironment = ReplayEnvironment()
    ) throws -> ReplayTransport {
        try ReplayTransport(
            cassette: file, mode: mode, over: transport, reRecordInterval: after, clock: clock.netClock,
            environment: environment)
    }

    private static func stub(_ text: String) -> Stub { Stub(.get, "/{x}", .text(text)) }

    @Test func anOldRecordingIsRecordedAnewAndAYoungOneIsNot() async throws {
        try await record([Self.stub("old")], ["/a", "/b"])
        await clock.advance(by: .seconds(86_000))
        let today = MockTransport([Self.stub("new")])
        #expect(try await call("/a").text(open(over: today)) == "old")
        await clock.advance(by: .seconds(1000))
        #expect(try await call("/a").text(open(after: nil, over: today)) == "old")
        let replay = try open(over: today)
        #expect(replay.unusedExchanges.count == 2)
        #expect(try await call("/a").text(replay) == "new")
        #expect(replay.unusedExchanges.isEmpty)
        #expect(try await call("/b").text(replay) == "new")
        try replay.verify()
        try replay.save()
        #expect(replay.renewalFailure == nil)
        let text = try folder.text("tape.json")
        #expect(!text.contains("old"))
        #expect(text.contains("2026-01-02T00:10:00Z"))
        #expect(try await call("/b").text(open(over: nil)) == "new")
    }

    @Test func withoutATransportOrWhereRecordingIsLockedTheOldOneAnswers() async throws {
        try await record([Self.stub("old")], ["/a"])
        await clock.advance(by: .seconds(100_000))
        let today = MockTransport([Self.stub("new")])
        #expect(try await call("/a").text(open(over: nil)) == "old")
        #expect(try await call("/a").text(open(mode: .none, over: today)) == "old")
        #expect(try await call("/a").text(open(over: today, ReplayEnvironment(["CI": "true"]))) == "old")
        #expect(try await call("/a").text(open(over: today, ReplayEnvironment(["NET_CASSETTES": "none"]))) == "old")
        #expect(today.recordedRequests.isEmpty)
        // An environment that allows recording allows renewing.
        let allowed = ReplayEnvironment(["CI": "true", "NET_CASSETTES": "once"])
        #expect(try await call("/a").text(open(over: today, allowed)) == "new")
    }

    @Test(arguments: ["failure", "503", "429"])
    func whenItCannotBeRenewedTheOldOneIsUsedAndStaysByteForByte(_ trouble: String) async throws {
        try await record([Self.stub("old")], ["/a", "/b", "/c"])
        let before = try folder.text("tape.json")
        await clock.advance(by: .seconds(100 * 86_400))
        let today = MockTransport { request, context in
            if request.head.path == "/b" {
                guard let status = Int(trouble) else {
                    throw context.error(.connect, phase: .connecting, message: "connection refused")
                }
                return .status(.init(code: status))
            }
            return .text("new")
        }
        let replay = try open(over: today)
        #expect(try await call("/a").text(replay) == "new")
        #expect(try await call("/b").text(replay) == "old")
        #expect(try await call("/c").text(replay) == "old")
        try replay.verify()
        try replay.save()
        #expect(try folder.text("tape.json") == before)
        let note = try #require(replay.renewalFailure)
        #expect(
            note.hasPrefix(
                "\(file) was recorded 100 days ago and could not be recorded again, so the old recording is used: ")
        )
        #expect(note.contains(trouble == "failure" ? "GET http://api.test/b failed: connection refused" : trouble))
    }

    @Test func aBodyThatBreaksOffTodayIsNotWritten() async throws {
        try await record([Self.stub("a whole answer")], ["/a"])
        let before = try folder.text("tape.json")
        await clock.advance(by: .seconds(100_000))
        let broken = MockTransport([Stub(.get, "/a", .text("a whole answer").dropping(.afterBodyBytes(3)))])
        let replay = try open(over: broken)
        let streamed = RecordCall("/a", delivery: .streamed, clock: clock)
        #expect(await streamed.failure(replay)?.code == .connectionLost)
        try replay.save()
        #expect(try folder.text("tape.json") == before)
        #expect(replay.renewalFailure?.contains("1 of its exchanges failed or ended early, 0 did before") == true)
    }

    @Test func aFailureThatWasRecordedMayHappenAgain() async throws {
        let dead = MockTransport { _, context in throw context.error(.dns, phase: .resolving, message: "no such host") }
        let recording = RecordingTransport(dead)
        _ = await call("/a").failure(recording)
        try recording.write(to: file)
        await clock.advance(by: .seconds(100_000))
        let replay = try open(over: dead)
        #expect(await call("/a").failure(replay)?.message == "no such host")
        try replay.save()
        #expect(replay.renewalFailure == nil)
        #expect(try folder.text("tape.json").contains("2026-01-02"))
    }

    @Test func afterAFailedRenewalNewEpisodesAreAddedToTheOldRecording() async throws {
        try await record([Self.stub("old")], ["/a", "/b"])
        await clock.advance(by: .seconds(100_000))
        let today = MockTransport { request, context in
            if request.head.path == "/b" { throw context.error(.connect, phase: .connecting, message: "refused") }
            return .text("new")
        }
        let replay = try open(mode: .newEpisodes, over: today)
        for path in ["/a", "/b", "/c"] { _ = try await call(path).text(replay) }
        try replay.save()
        let later = try open(mode: .none, over: nil)
        #expect(try await call("/a").text(later) == "old")
        #expect(try await call("/b").text(later) == "old")
        #expect(try await call("/c").text(later) == "new")
        try later.verify()
    }
}
