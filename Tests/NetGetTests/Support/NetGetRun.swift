#if Tools && os(Linux)
import Foundation
import Glibc
import TestSupport

/// A `net-get --json` that runs concurrently with the test.
struct NetGetRun: Sendable {
    /// A line of its output.
    struct Event: Decodable, Sendable {
        var event: String
        var id, url, name, state, path, code, message: String?
        var bytes, total: Int64?
        var ranges, completed, failed: Int?
        var isInterrupted: Bool?
    }

    let events: [Event]
    /// -1 if it was killed.
    let exitCode: Int32

    /// Runs it to its end, or kills it with the signal as soon as `isEnough` returns true.
    static func run(
        _ arguments: [String], signal: Int32 = SIGKILL,
        until isEnough: @escaping @Sendable (Event) -> Bool = { _ in false }
    ) async throws -> NetGetRun {
        try await offPool {
            let program = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent("net-get").path
            let child = try ChildProcess(program ?? "net-get", ["--json"] + arguments)
            var events: [Event] = []
            var isKilled = false
            do {
                while true {
                    let line = try child.lines { _ in true }
                    guard let event = try? JSONDecoder().decode(Event.self, from: Data(line[0].utf8)) else { continue }
                    events.append(event)
                    if !isKilled, isEnough(event) {
                        isKilled = true
                        kill(child.pid, signal)
                    }
                }
            } catch {
                // The output has ended, and therefore the program as well.
                return NetGetRun(events: events, exitCode: child.wait())
            }
        }
    }
}
#endif
