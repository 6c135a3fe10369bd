import Foundation
import NetCore
import NetTestTraits
import NetTesting
import Testing

/// The trait run by a test, so that its issues can be examined.
@Suite(.timeLimit(.minutes(1)))
struct CassetteTraitTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func trait(
        _ name: String = "tape", mode: ReplayTransport.Mode = .once, verifiesUse: Bool = true,
        after interval: Duration? = nil, clock: NetClock = .system,
        environment variables: [String: String] = [:], line: SourceLocation = #_sourceLocation
    ) -> CassetteTrait {
        .cassette(
            name, folder: folder.path, mode: mode, reRecordInterval: interval, verifiesUse: verifiesUse,
            environment: ReplayEnvironment(variables), clock: clock, sourceLocation: line)
    }

    private func record(_ paths: [String], as name: String = "tape") async throws {
        try await run(trait(name)) {
            let transport = CassetteTransport(over: echo())
            for path in paths { _ = try await transport.text("http://api.test" + path) }
        }
    }

    @Test func aTestThatPassesIsRecordedAndThenReplayedWithoutTheNetwork() async throws {
        try await record(["/a", "/b"])
        #expect(folder.files == ["tape.json"])
        try await run(trait()) {
            let transport = CassetteTransport(over: deadNetwork)
            let answers = [
                try await transport.text("http://api.test/b"), try await transport.text("http://api.test/a"),
            ]
            #expect(answers == ["/b", "/a"])
        }
    }

    @Test func theRealTransportIsMadeOnlyWhereSomethingCanBeRecorded() async throws {
        try await record(["/a"])
        try await run(trait()) {
            func make() -> MockTransport {
                Issue.record("a test that only replays needs no transport")
                return echo()
            }
            _ = try await CassetteTransport(over: make()).text("http://api.test/a")
        }
    }

    @Test func unusedExchangesFailTheTestByNameAtTheTraitsLine() async throws {
        try await record(["/a", "/b", "/c"])
        let here = #_sourceLocation
        let found = try await issues {
            try await run(trait(line: here)) {
                _ = try await CassetteTransport().text("http://api.test/b")
            }
        }
        #expect(found.isOneFailure)
        #expect(found.map(\.sourceLocation) == [here])
        let file = folder.file("tape.json")
        #expect(found.text.hasPrefix("2 recorded exchanges were not used; "))
        #expect(found.text.contains("exchange 1 at \(file):3, GET http://api.test/a"))
        #expect(found.text.contains("exchange 3 at \(file):"))
        #expect(!found.text.contains("exchange 2"))
    }

    @Test func anUnusedExchangeIsAKnownIssueForWhoSaysSo() async throws {
        try await record(["/a", "/b"])
        try await withKnownIssue {
            try await run(trait()) { _ = try await CassetteTransport().text("http://api.test/a") }
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("1 recorded exchanges were not used") }
        }
    }

    @Test func aTestThatNeverAsksForItsCassetteFailsToo() async throws {
        try await record(["/a"])
        let found = try await issues { try await run(trait()) {} }
        #expect(found.isOneFailure)
        #expect(found.text.contains("1 recorded exchanges were not used"))
        try await run(trait(verifiesUse: false)) {}
        try await run(trait("none such", environment: ["CI": "true"])) {}
    }

    @Test(arguments: [false, true]) func aTestThatFailsWritesNothingAndSaysSo(_ throwsError: Bool) async throws {
        let part = throwsError ? "error" : "issue"
        let path = folder.file("tape/\(part).json")
        func record(_ isFailing: Bool, _ target: String) async throws -> [Issue] {
            try await issues {
                try await run(trait(mode: .all)) {
                    _ = try await CassetteTransport(case: part, over: echo()).text("http://api.test" + target)
                    if isFailing && throwsError { throw CancellationError() }
                    if isFailing { Issue.record("planted") }
                }
            }
        }
        let none = try await record(false, "/old")
        #expect(none.isEmpty)
        let before = try folder.text("tape/\(part).json")
        let found = try await record(true, "/new")
        #expect(try folder.text("tape/\(part).json") == before)
        let notes = found.filter { !$0.isFailure }
        #expect(notes.count == 1)
        #expect(found.count == 2)
        #expect(
            notes.first?.text.contains(
                "the test failed, so the 1 exchanges that it recorded are not written to \(path)") == true)
    }

    @Test func aKnownIssueIsNoFailure() async throws {
        try await run(trait()) {
            _ = try await CassetteTransport(over: echo()).text("http://api.test/a")
            withKnownIssue { Issue.record("known") }
        }
        #expect(folder.files == ["tape.json"])
    }

    @Test func aRequestThatWasNotRecordedFailsWithTheMiss() async throws {
        try await record(["/a"])
        let found = try await issues {
            try await run(trait()) { _ = try await CassetteTransport(over: echo()).text("http://api.test/z") }
        }
        #expect(found.count == 1)
        #expect(found.text.contains("no recorded exchange matches GET http://api.test/z: the nearest is exchange 1"))
    }

    @Test func withoutTheTraitEveryCallIsAClearError() async throws {
        let transport = CassetteTransport(over: echo())
        let error = await #expect(throws: NetError.self) { try await transport.text("http://api.test/a") }
        #expect(error?.code == .invalidRequest)
        #expect(error?.url == "http://api.test/a")
        #expect(error?.message.contains("give it the trait .cassette(\"name\")") == true)
        try await run(trait()) {
            let detached = await Task.detached { CassetteTransport(over: echo()) }.value
            await #expect(throws: NetError.self) { try await detached.text("http://api.test/a") }
            let child = await Task { CassetteTransport(over: echo()) }.value
            let text = try await child.text("http://api.test/a")
            #expect(text == "/a")
        }
    }

    @Test func ciNeverRecordsAndTheVariableOverridesTheTrait() async throws {
        let found = try await issues {
            try await run(trait(environment: ["CI": "true"])) {
                _ = try await CassetteTransport(over: echo()).text("http://api.test/a")
            }
        }
        #expect(found.count == 1)
        #expect(found.text.contains("nothing is recorded here: CI is set"))
        #expect(folder.files.isEmpty)
        let unknown = try await issues {
            try await run(trait(environment: ["NET_CASSETTES": "maybe"])) {
                _ = try? await CassetteTransport(over: echo()).text("http://api.test/a")
            }
        }
        #expect(unknown.count == 1)
        #expect(unknown.text.contains("must be one of none, once, new, all"))
        try await run(trait(mode: .none, environment: ["CI": "true", "NET_CASSETTES": "all"])) {
            _ = try await CassetteTransport(over: echo()).text("http://api.test/a")
        }
        #expect(folder.files == ["tape.json"])
    }

    @Test func anOldCassetteIsRenewedOrKeptWithAWarning() async throws {
        try await record(["/a", "/b"])
        let before = try folder.text("tape.json")
        let later = TestClock(date: Date().addingTimeInterval(40 * 86_400))
        let trait = trait(after: .seconds(30 * 86_400), clock: later.netClock)
        let found = try await issues {
            try await run(trait) {
                let transport = CassetteTransport(over: deadNetwork)
                for path in ["/a", "/b"] {
                    let text = try await transport.text("http://api.test" + path)
                    #expect(text == path)
                }
            }
        }
        #expect(found.map(\.isFailure) == [false])
        #expect(found.text.contains("was recorded 40 days ago and could not be recorded again"))
        #expect(try folder.text("tape.json") == before)
        try await run(trait) { _ = try await CassetteTransport(over: echo()).text("http://api.test/a") }
    }

    @Test(arguments: ["{\"version\": 1,", "{\"version\": 2, \"exchanges\": []}", "no JSON"])
    func aBrokenCassetteFailsTheTestAlsoWhereItsErrorIsSwallowed(_ text: String) async throws {
        try FileManager.default.createDirectory(atPath: folder.file("tape"), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: folder.file("tape/a.json")))
        let here = #_sourceLocation
        let swallowed = try await issues {
            try await run(trait(line: here)) {
                _ = try? await CassetteTransport(case: "../x", over: echo()).text("http://api.test/a")
                _ = try? await CassetteTransport(case: "a", over: echo()).text("http://api.test/a")
            }
        }
        #expect(swallowed.count == 2)
        #expect(swallowed.allSatisfy { $0.sourceLocation == here })
        #expect(swallowed.contains { $0.text.contains("isn't a valid cassette name") })
        #expect(swallowed.contains { $0.text.contains("tape/a.json:1:") })
        #expect(try folder.text("tape/a.json") == text)
        #expect(folder.files == ["tape/a.json"])
    }

    @Test func aFileThatBreaksWhileTheTestRunsIsNotOverwritten() async throws {
        let found = try await issues {
            try await run(trait()) {
                _ = try await CassetteTransport(over: echo()).text("http://api.test/a")
                try Data("{".utf8).write(to: URL(filePath: folder.file("tape.json")))
            }
        }
        #expect(found.isOneFailure)
        #expect(found.text.contains("so it is not overwritten"))
        #expect(try folder.text("tape.json") == "{")
    }
}
