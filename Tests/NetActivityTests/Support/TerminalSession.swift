#if Tools
import Foundation

/// A command in a terminal emulated by tmux; it ends with the test.
final class TerminalSession {
    static let program = "/usr/bin/tmux"
    static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// Long, so that no test fails on a busy machine.
    private static let patience = Duration.seconds(90)

    private let folder: TemporaryFolder
    private let server = Process()

    /// Starts a shell command.
    init(_ command: String, columns: Int, rows: Int, environment: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        // As a daemon, it would keep its inherited descriptors, and a process that waits for its parent would wait for
        // it as well.
        server.executableURL = URL(fileURLWithPath: Self.program)
        server.arguments = ["-S", folder.file("tmux"), "-f", "/dev/null", "-D"]
        server.environment = [
            "PATH": "/usr/bin:/bin", "HOME": folder.path, "LANG": "C.UTF-8", "LESSHISTFILE": "-", "SHELL": "/bin/sh",
        ].merging(environment) { $1 }
        server.standardInput = FileHandle.nullDevice
        try server.start()
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

    /// Uses a signal that can't be blocked: a thread of the pool blocks all others, and its child processes inherit
    /// that.
    deinit { kill(server.processIdentifier, SIGKILL) }

    private func tmux(_ arguments: String...) throws -> String {
        let command = try Command.run(Self.program, ["-S", folder.file("tmux")] + arguments)
        guard command.exitCode == 0 else { throw CommandError(text: command.errors) }
        return command.output
    }

    /// Returns the lines of the screen, without empty ones at its end.
    func screen() throws -> [String] { Self.lines(try tmux("capture-pane", "-p")) }

    /// Returns the same including the scrollback, with lines joined that the terminal has wrapped.
    func unwrapped() throws -> [String] { Self.lines(try tmux("capture-pane", "-p", "-J", "-S", "-")) }

    /// Returns the screen with its color codes.
    func coloured() throws -> String { try tmux("capture-pane", "-p", "-e") }

    private static func lines(_ text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// Waits until the screen satisfies a condition, and returns it.
    @discardableResult func wait(until isReached: ([String]) -> Bool) async throws -> [String] {
        let clock = ContinuousClock()
        let end = clock.now + Self.patience
        while true {
            let isLate = clock.now >= end
            let lines = try screen()
            if isReached(lines) { return lines }
            guard !isLate else { throw CommandError(text: "never came: \(lines.joined(separator: "\n"))") }
            await Task.yield()
        }
    }

    /// Types a text literally.
    func type(_ text: String) throws { _ = try tmux("send-keys", "-l", text) }

    /// Presses a key by its tmux name: `C-c`, `Tab`, `Enter`.
    func press(_ key: String) throws { _ = try tmux("send-keys", key) }

    func resize(columns: Int) throws { _ = try tmux("resize-window", "-x", "\(columns)") }
}
#endif
