#if Tools
import Foundation
import NetCore
import Testing

@testable import NetStore

/// The appearance of the commands in a terminal.
@Suite(.enabled(if: TerminalSession.isPossible, "no tmux; scripts/bootstrap --tests installs it"))
struct TerminalTests {
    private static let tool = Command.product("net-activity")
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Creates a file with calls that are long in every place, with headers, a body and lines of a log.
    private func makeFile() async throws {
        let store = try ActivityStore(at: folder.file())
        let long = "https://api.example.com/" + String(repeating: "very-long/", count: 30)
        let body = CaptureContent.Body(
            bytes: Bytes((#"{"text":""# + String(repeating: "word ", count: 60) + #""}"#).utf8), size: 311,
            isCut: false,
            type: "application/json")
        store.record(
            PendingCapture(
                Events.id(1), number: 1, status: 500,
                requestHeaders: "accept: " + String(repeating: "text/a, ", count: 30),
                responseHeaders: "content-type: application/json", response: body))
        let calls = [
            Events.call(0, operation: "getUser"),
            Events.call(
                1, took: .seconds(75), status: 500, operation: String(repeating: "operation", count: 9), url: long,
                outcome: .rejected(status: 500, responseBytes: 3)),
            Events.call(
                2,
                outcome: .failed(
                    NetError(.tls, phase: .securing, message: String(repeating: "the certificate is bad ", count: 9)))),
            Events.call(3, url: "https://x/" + String(repeating: "漢字", count: 60)),
        ]
        try await store.write(Array(calls.joined()))
        try await store.close()
    }

    /// Runs all commands that print tables or text, and returns the session once they have ended.
    private func session(columns: Int, environment: [String: String] = [:]) async throws -> TerminalSession {
        let (tool, file) = (Self.tool, folder.file())
        let commands = [
            "list \(file)", "show \(file) \(Events.id(1))", "stats \(file)", "doctor \(file)", "search \(file) example",
            "tail \(file) --count 4",
        ]
        let line = commands.map { "\(tool) \($0)" }.joined(separator: "; ")
        let session = try TerminalSession(
            "\(line); echo THE END; exec cat", columns: columns, rows: 200, environment: environment)
        try await session.wait { $0.last == "THE END" }
        return session
    }

    @Test(arguments: [40, 80, 200]) func noLineIsWrapped(columns: Int) async throws {
        try await makeFile()
        let session = try await session(columns: columns)
        let lines = try session.unwrapped()
        // A command for copying isn't wrapped.
        for line in lines where !line.hasPrefix("  net-activity list ") {
            #expect(TerminalText.columns(line) <= columns, "\(line)")
            #expect(!line.contains("[0m"), "\(line)")
            #expect(!line.contains("[3"), "\(line)")
            #expect(!line.contains("\u{b7}"), "\(line)")
        }
        for part in ["UTC", "RESULT", "TRY", "ATTEMPT 1, REQUEST", "CALLS", "✗ ", "getUser", "500"] {
            #expect(lines.contains { $0.contains(part) }, "\(part)")
        }
        let title = try #require(lines.first { $0.contains("P95") })
        #expect(title.contains("P50") == (columns > 40), "\(title)")
        #expect(title.contains("TRIES") == (columns > 40), "\(title)")
        #expect(try session.coloured().contains("\u{1b}["))
    }

    @Test func coloursAreLeftOutIfTheyAreUnwanted() async throws {
        try await makeFile()
        let session = try await session(columns: 100, environment: ["NO_COLOR": "1"])
        #expect(try !session.coloured().contains("\u{1b}"))
    }

    @Test func aTailShowsWhatIsUnderWayUntilItHasEnded() async throws {
        let store = try ActivityStore(at: folder.file())
        try await store.write(Events.call(0))
        let session = try TerminalSession(
            "trap : INT; \(Self.tool) tail \(folder.file()); echo ended with $?; exec cat", columns: 100, rows: 24)
        try await session.wait { $0.count == 1 && $0[0].hasSuffix(id(0)) }
        let (first, second) = (Events.call(1), Events.call(2))
        try await store.write([first[0], second[0]])
        let live = try await session.wait { $0.count == 3 }
        #expect(live[1].hasPrefix("▸ "))
        #expect(live[1].hasSuffix(id(1)))
        #expect(live[1].contains("GET  https://api.ex"))
        #expect(live[2].hasPrefix("▸ "))
        #expect(live[2].hasSuffix(id(2)))
        // The line of a call disappears when the call ends.
        try await store.write(Array(first.dropFirst()))
        let half = try await session.wait { $0.count == 3 && $0[1].hasPrefix("2026") }
        #expect(half[1].hasSuffix(id(1)))
        #expect(half[2].hasPrefix("▸ "))
        #expect(half[2].hasSuffix(id(2)))
        // A change of the width leaves no remains of earlier lines.
        for columns in [40, 80] {
            try session.resize(columns: columns)
            let lines = try await session.wait { lines in
                lines.count { $0.hasPrefix("▸ ") } == 1 && lines.last?.hasSuffix(id(2)) == true
                    && lines.last?.contains("…") == (columns == 40)
            }
            #expect(TerminalText.columns(lines.last ?? "") <= columns)
        }
        try session.press("C-c")
        try await session.wait { $0.last == "ended with 130" }
        let end = try session.unwrapped()
        try #require(end.count == 3, "\(end)")
        #expect(end[0].hasSuffix(id(0)), "\(end)")
        #expect(end[1].hasSuffix(id(1)), "\(end)")
        try await store.close()
    }

    @Test func aTailOfManyCallsSaysThatThereAreMore() async throws {
        let store = try ActivityStore(at: folder.file())
        let calls = (0..<9).map { Events.call($0) }
        try await store.write(calls.map { $0[0] })
        let session = try TerminalSession(
            "\(Self.tool) tail \(folder.file()) --count 9; exec cat", columns: 60, rows: 24)
        let lines = try await session.wait { $0.count == 5 }
        #expect(lines[0] == "▸ and 5 more: net-activity list", "\(lines)")
        #expect(lines[4].hasSuffix(id(8)), "\(lines)")
        try await store.write(calls.flatMap { $0.dropFirst() })
        try await session.wait { $0.count == 9 && !$0.contains { $0.contains("▸") } }
        try await store.close()
    }

    private func id(_ number: Int) -> String { String(Events.id(number).description.suffix(8)) }
}
#endif
