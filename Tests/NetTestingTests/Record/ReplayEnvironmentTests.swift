import Foundation
import NetCore
import NetTesting
import Testing

/// The effect of `NET_CASSETTES` and `CI` on each mode.
@Suite struct ReplayEnvironmentTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func mode(_ mode: ReplayTransport.Mode, _ variables: [String: String]) throws -> ReplayTransport.Mode {
        try RecordingTransport(MockTransport()).write(to: folder.file("tape.json"))
        return try ReplayTransport(
            cassette: folder.file("tape.json"), mode: mode, over: MockTransport(),
            environment: ReplayEnvironment(variables)
        ).mode
    }

    @Test(arguments: [
        ("none", ReplayTransport.Mode.none), ("once", .once), ("new", .newEpisodes), ("all", .all),
    ])
    func theVariableReplacesEveryModeAlsoInCI(_ value: String, _ expected: ReplayTransport.Mode) throws {
        for own in [ReplayTransport.Mode.once, .newEpisodes, .all, .none] {
            #expect(try mode(own, ["NET_CASSETTES": value]) == expected)
            #expect(try mode(own, ["NET_CASSETTES": value, "CI": "true"]) == expected)
        }
    }

    @Test(arguments: [
        ("true", true), ("1", true), ("yes", true), ("false", false), ("0", false), ("No", false), ("", false),
    ])
    func onceRecordsNothingWhereCIIsTrue(_ value: String, _ isCI: Bool) throws {
        #expect(try mode(.once, ["CI": value]) == (isCI ? .none : .once))
        #expect(try mode(.newEpisodes, ["CI": value]) == .newEpisodes)
        #expect(try mode(.all, ["CI": value]) == .all)
        #expect(try mode(.once, ["CI": value, "NET_CASSETTES": ""]) == (isCI ? .none : .once))
    }

    @Test func anUnknownValueIsAnErrorThatNamesTheKnownOnes() throws {
        let error = #expect(throws: NetError.self) { try mode(.once, ["NET_CASSETTES": "record"]) }
        #expect(error?.code == .invalidRequest)
        #expect(
            error?.message
                == "NET_CASSETTES is \"record\", but must be one of none, once, new, all; or unset it")
    }

    @Test(arguments: [["NET_CASSETTES": "none"], ["CI": "1"]])
    func aLockedCassetteSaysWhyNothingIsRecorded(_ variables: [String: String]) async throws {
        let environment = ReplayEnvironment(variables)
        let mock = MockTransport([Stub(.get, "/a", .text("a"))])
        let reason = variables["CI"] == nil ? "NET_CASSETTES is none" : "CI is set"
        let missing = #expect(throws: NetError.self) {
            try ReplayTransport(cassette: folder.file("no.json"), over: mock, environment: environment)
        }
        #expect(missing?.message.contains("there is no such file") == true)
        #expect(missing?.message.hasSuffix("(nothing is recorded here: \(reason))") == true)

        try RecordingTransport(MockTransport()).write(to: folder.file("empty.json"))
        let replay = try ReplayTransport(cassette: folder.file("empty.json"), over: mock, environment: environment)
        let error = await RecordCall("/a").failure(replay)
        #expect(error?.message.hasSuffix("(nothing is recorded here: \(reason))") == true)
        #expect(mock.recordedRequests.isEmpty)
    }
}
