#if Tools
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Shows output longer than the screen in another program: `$NET_ACTIVITY_PAGER`, `$PAGER` or `less`.
enum Pager {
    private static let running = Mutex<pid_t?>(nil)

    /// Redirects further output to the pager; does nothing without a terminal, or if the pager is `cat`.
    static func start() {
        let environment = ProcessInfo.processInfo.environment
        let command = environment["NET_ACTIVITY_PAGER"] ?? environment["PAGER"] ?? "less"
        guard isatty(STDIN_FILENO) == 1, Output.isTerminal, !["", "cat"].contains(command) else { return }
        // The terminal's properties are read before the output becomes a pipe.
        _ = (Output.isColoured, Output.width)
        // `less` exits if everything fits on the screen, shows colors, and leaves the text on the screen.
        let own = environment.merging(["LESS": "FRX", "LV": "-c"]) { own, _ in own }
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        // If the program doesn't exist, the text still goes to the terminal.
        if let process = spawn("\(command) || exec cat", own, input: ends[0], without: ends[1]) {
            dup2(ends[1], STDOUT_FILENO)
            // Ctrl-C belongs to the pager.
            signal(SIGINT, SIG_IGN)
            running.withLock { $0 = process }
        }
        for end in ends { close(end) }
    }

    /// Waits until the user quits the pager.
    static func finish() {
        guard let process = running.withLock({ $0.take() }) else { return }
        fflush(nil)
        close(STDOUT_FILENO)
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// Starts a shell command that reads from `input`; returns nil if that fails.
    private static func spawn(
        _ command: String, _ environment: [String: String], input: CInt, without other: CInt
    ) -> pid_t? {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_addclose(&actions, other)
        let words = ["sh", "-c", command]
        let settings = environment.map { "\($0.key)=\($0.value)" }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { text in text.withCString { strdup($0) } } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = settings.map { text in text.withCString { strdup($0) } } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var process: pid_t = 0
        return posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, &variables) == 0 ? process : nil
    }
}
#endif
