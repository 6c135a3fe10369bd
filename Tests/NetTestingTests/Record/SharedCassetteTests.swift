import Foundation
import NetCore
import NetTesting
import Testing

/// One file and several writers: nothing is lost or damaged.
@Suite(.timeLimit(.minutes(1)))
struct SharedCassetteTests {
    private let folder: TemporaryFolder
    private var file: String { folder.file("tape.json") }

    init() throws { folder = try TemporaryFolder() }

    private func open(_ mode: ReplayTransport.Mode) throws -> ReplayTransport {
        // Above the limit up to which a body is stored in the cassette itself.
        let mock = MockTransport([
            Stub(.get, "/{x}") { .bytes(Bytes(Array(repeating: 0xff, count: 5000) + Array($0.path.utf8))) }
        ])
        return try ReplayTransport(cassette: file, mode: mode, over: mock, environment: ReplayEnvironment())
    }

    private func send(_ path: String, over replay: ReplayTransport) async throws {
        let call = RecordCall(path)
        let body = try await replay.execute(call.request, context: call.context).body.collect(upTo: 10_000)
        #expect(body.count == 5000 + path.utf8.count)
    }

    @Test(arguments: [ReplayTransport.Mode.once, .newEpisodes, .all])
    func concurrentRecordingsAreAllSaved(_ mode: ReplayTransport.Mode) async throws {
        let names = (0..<16).map { "/n\($0)" }
        let replays = try names.map { _ in try open(mode) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (name, replay) in zip(names, replays) {
                group.addTask {
                    try await send(name, over: replay)
                    try replay.save()
                }
            }
            try await group.waitForAll()
        }
        let whole = try open(.none)
        for name in names { try await send(name, over: whole) }
        try whole.verify()
    }

    @Test func savingTwiceWritesTheSame() async throws {
        let replay = try open(.newEpisodes)
        try await send("/a", over: replay)
        try replay.save()
        let first = try folder.text("tape.json")
        try replay.save()
        #expect(try folder.text("tape.json") == first)
        try await send("/b", over: replay)
        try replay.save()
        let again = try open(.none)
        #expect(again.unusedExchanges.count == 2)
    }

    @Test func allReplacesWhatWasThereWhenItWasOpened() async throws {
        let first = try open(.once)
        try await send("/a", over: first)
        try first.save()
        let second = try open(.all)
        try await send("/b", over: second)
        try second.save()
        #expect(try open(.none).unusedExchanges.map { $0.hasSuffix("/b") } == [true])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("tape.bodies")).count == 1)
    }

    @Test func resetLetsEverythingAnswerAgainAndForgetsWhatWasRecorded() async throws {
        let first = try open(.once)
        try await send("/a", over: first)
        try first.save()
        let replay = try open(.newEpisodes)
        try await send("/a", over: replay)
        try await send("/b", over: replay)
        replay.reset()
        #expect(replay.unusedExchanges.count == 1)
        #expect(replay.recordedCount == 0)
        try await send("/a", over: replay)
        try replay.save()
        #expect(try open(.none).unusedExchanges.count == 1)
    }

    @Test func aPlaceholderOfOnesOwnStandsInTheFileAndReplayMatches() async throws {
        var policy = RedactionPolicy.safeDefault
        policy.placeholder = "HIDDEN"
        let mock = MockTransport([Stub(.post, "/login", .text("in"))])
        let replay = try ReplayTransport(
            cassette: file, over: mock, redaction: policy, environment: ReplayEnvironment())
        func login(_ secret: String) -> RecordCall {
            RecordCall(
                "/login?token=\(secret)", body: "{\"password\": \"\(secret)\"}",
                headers: [.authorization: "Bearer \(secret)"])
        }
        #expect(try await login("PLANTED").text(replay) == "in")
        try replay.save()
        let text = try folder.text("tape.json")
        #expect(text.contains("HIDDEN"))
        #expect(!text.contains("PLANTED"))
        #expect(!text.contains("<redacted>"))
        let again = try ReplayTransport(cassette: file, mode: .none, redaction: policy)
        #expect(try await login("another").text(again) == "in")
    }
}
