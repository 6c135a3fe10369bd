#if Tools
import Foundation
import NetCore
import Testing

@testable import net_activity

@Suite struct ReplayCheckTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let ada = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("NetTestTraitsTests/Cassettes/ada.json")

    /// Returns the cassette with one text replaced by another.
    private func cassette(_ text: String = "", _ other: String = "") throws -> String {
        var content = try String(contentsOf: Self.ada, encoding: .utf8)
        if !text.isEmpty {
            #expect(content.contains(text))
            content = content.replacing(text, with: other)
        }
        let path = folder.file("cassette.json")
        try content.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test func aCassetteWhoseRequestsGetTheirResponsesIsSaidToBeFine() async throws {
        let check = try await ReplayCheck(path: try cassette())
        #expect(check.count == 1)
        #expect(check.findings.map(\.severity) == [.note])
        #expect(check.findings.first?.text == "Its request gets the response that was recorded.")
    }

    @Test(arguments: [
        (
            "\"fields\": []}", "\"fields\": [], \"body\": {\"text\": [\"a\"], \"isCut\": true}}",
            "The body of its request is truncated"
        ),
        ("\"Ada\\\"}\"]", "\"Ada\\\"}\"], \"isCut\": true", "the recording holds only 21 bytes of the body"),
    ]) func exchangesThatCannotBeReplayedAreReported(text: String, other: String, says: String) async throws {
        let check = try await ReplayCheck(path: try cassette(text, other))
        let finding = try #require(check.findings.first)
        #expect(finding.severity == .error)
        #expect(finding.title == "Exchange 1 can't be replayed")
        #expect(finding.text.hasPrefix(says), "\(finding.text)")
        #expect(finding.filter == "~u \"https://api.example.com/users/7\"")
    }

    @Test func aFailureThatWasRecordedIsReplayedAsOne() async throws {
        let start = try #require(try String(contentsOf: Self.ada, encoding: .utf8).range(of: "\"response\""))
        let content = try String(contentsOf: Self.ada, encoding: .utf8)
        let failed = content[..<start.lowerBound] + "\"failure\": {\"code\": \"timeout\", \"message\": \"slow\"}}]}"
        let path = folder.file("failed.json")
        try String(failed).write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try await ReplayCheck(path: path).findings.map(\.severity) == [.note])
    }

    @Test func invalidCassettesThrowAnError() async throws {
        let path = try cassette("{", "[")
        await #expect(throws: (any Error).self) { _ = try await ReplayCheck(path: path) }
    }
}
#endif
