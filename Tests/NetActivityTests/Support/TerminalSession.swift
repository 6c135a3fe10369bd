#if Tools
import Foundation

/// A command in a terminal that tmux plays; it ends with the test.
final class TerminalSession {
    static let program = "/usr/bin/tmux"
    static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// Long, so that a busy machine fails no test.
    private static let patience = Duration.seconds(30)

    private let folder: TemporaryFolder
    private let server = Process()

    /// Starts a command of the shell.
    init(_ command: String, columns: Int, rows: Int, environment: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        // As a daemon, it would keep what it inherits, and whoever waits for its parent would wait for it.
        server.executableURL = URL(fileURLWithPath: Self.program)
        server.arguments = ["-S", folder.file("tmux"), "-f", "/dev/null", "-D"]
        server.environment = [
            "PATH": "/usr/bin:/bin", "HOME": folder.path, "LANG": "C.UTF-8", "LESSHISTFILE": "-", "SHELL": "/bin/sh",
        ].merging(environment) { $1 }
        server.standardInput = FileHandle.nullDevice
        try server.run()
        let size = ["-x", "\(columns)", "-y", "\(rows)"]
        let clock = ContinuousClock()
        let end = clock.now + Self.patience
        while true {
            // The session takes its PATH from the client.
            let start = try Command.run(
                Self.program,
                ["-S", folder.file("tmux"), "-N", "new-session", "-d"] + size + ["/bin/sh", "-c", command],
                environment: server.environment)
            if start.exitCode == 0 { return }
            guard server.isRunning, clock.now < end else { throw CommandError(text: start.errors) }
        }
    }

    /// By a signal that can't be blocked: a thread of the pool blocks all others, and what it starts inherits that.
    deinit { kill(server.processIdentifier, SIGKILL) }

    private func tmux(_ arguments: String...) throws -> String {
        let command = try Command.run(Self.program, ["-S", folder.file("tmux")] + arguments)
        guard command.exitCode == 0 else { throw CommandError(text: command.errors) }
        return command.output
    }

    /// The lines of the screen, without empty ones at its end.
    func screen() throws -> [String] { Self.lines(try tmux("capture-pane", "-p")) }

    /// The same with what has left the screen, and with lines joined that the terminal has wrapped.
    func unwrapped() throws -> [String] { Self.lines(try tmux("capture-pane", "-p", "-J", "-S", "-")) }

    /// The screen with the codes of its colours.
    func coloured() throws -> String { try tmux("capture-pane", "-p", "-e") }

    private static func lines(_ text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// Waits until the screen is as it is meant to be, and returns it.
    @discardableResult func wait(until isReached: ([String]) -> Bool) async throws -> [String] {
        let clock = ContinuousClock()
        let end = clock.now + Self.patience
        while true {
            let lines = try screen()
            if isReached(lines) { return lines }
            await Task.yield()
            guard clock.now < end else { throw CommandError(text: "never came: \(lines.joined(separator: "\n"))") }
        }
    }

    /// Types a text as it is.
    func type(_ text: String) throws { _ = try tmux("send-keys", "-l", text) }

    /// Presses a key that tmux has a name for: `C-c`, `Tab`, `Enter`.
    func press(_ key: String) throws { _ = try tmux("send-keys", key) }

    func resize(columns: Int) throws { _ = try tmux("resize-window", "-x", "\(columns)") }
}
#endif
