#if Tools
import Foundation
import HTTPTypes
import NetCore
import Testing

@testable import NetStore

/// The tests of calls of which some are equal.
struct EqualCallsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func record(
        _ number: Int, _ store: ActivityStore, path: String = "a", body: String = "same", date: String
    ) async throws {
        let content = CaptureContent.Body(
            bytes: Bytes(body.utf8), size: Int64(body.utf8.count), isCut: false, type: "text/plain")
        store.record(
            PendingCapture(
                Events.id(number), number: 1, status: 200, requestHeaders: "accept: text/plain",
                responseHeaders: "content-type: text/plain\ndate: \(date)", response: content))
        try await store.write(Events.call(number, url: "https://api.example.com/\(path)"))
    }

    @Test func equalCallsAreOneTest() async throws {
        let store = try ActivityStore(at: folder.file())
        for number in 0..<5 {
            try await record(number, store, date: "Thu, 01 Jan 2026 00:00:0\(number) GMT")
        }
        try await record(5, store, body: "other", date: "Thu, 01 Jan 2026 00:00:06 GMT")
        try await record(6, store, path: "b", date: "Thu, 01 Jan 2026 00:00:07 GMT")
        try await store.close()
        let command = try Command.run(
            Command.product("net-activity"), ["export", "test", folder.file(), "~all", "-o", folder.file("tests")])
        #expect(command.exitCode == 0, "\(command.errors)")
        // The source, and the cassettes of three tests.
        #expect(command.lines.count == 4, "\(command.output)")
        #expect(command.errors.contains("4 calls equal to an earlier one"), "\(command.errors)")
        let source = try String(contentsOfFile: try #require(command.lines.first), encoding: .utf8)
        #expect(source.components(separatedBy: "@Test(").count == 4)
        #expect(source.contains("func getAIsAnsweredWith200()"))
        #expect(source.contains("func getAIsAnsweredWith200No2()"))
        #expect(source.contains("func getBIsAnsweredWith200()"))
    }
}
#endif
