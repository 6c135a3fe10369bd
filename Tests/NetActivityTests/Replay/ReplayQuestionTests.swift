#if Tools && Server
import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@testable import NetStore

/// The question that `net-activity replay` asks in a terminal.
@Suite(
    .enabled(if: TerminalSession.isPossible, "no tmux; scripts/bootstrap --tests installs it"), .timeLimit(.minutes(2)))
struct ReplayQuestionTests {
    @Test func `only a yes sends`() async throws {
        try await ReplayBench.run([Stub(.delete, "/items/7", .text("gone"))]) { bench in
            let id = try await bench.record(Request("items/7", method: .delete))
            for (answer, count) in [("n", 1), ("yes", 2)] {
                let command = "'\(Command.product("net-activity"))' replay --no-pager '\(bench.file)' \(id)"
                let session = try TerminalSession("\(command); echo \"code $?\"; cat", columns: 100, rows: 30)
                let question = try await session.wait { $0.contains { $0.contains("[y/N]") } }
                #expect(question.contains { $0.contains("Send DELETE \(bench.server.baseURL)/items/7? [y/N]") })
                #expect(bench.server.requests.count == 1)
                try session.type(answer)
                try session.press("Enter")
                let lines = try await session.wait { $0.contains { $0.hasPrefix("code ") } }
                #expect(bench.server.requests.count == count, "\(lines)")
                #expect(
                    lines.contains(count == 1 ? "Error: nothing was sent" : "The response is the same."), "\(lines)")
                #expect(lines.contains(count == 1 ? "code 2" : "code 0"), "\(lines)")
            }
        }
    }
}
#endif
