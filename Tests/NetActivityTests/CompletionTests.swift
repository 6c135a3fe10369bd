#if Tools
import Foundation
import NetCore
import NetStore
import Testing

/// The completions that shells offer, with the scripts written by the program.
@Suite struct CompletionTests {
    private static let program = Command.product("net-activity")
    private static let path = URL(fileURLWithPath: program).deletingLastPathComponent().path + ":/usr/bin:/bin"
    private static let zsh = "/usr/bin/zsh"
    private static let fish = "/usr/bin/fish"

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func isThere(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Creates a file with two hosts and two operations, and with names that a shell would execute.
    private func makeFile() async throws {
        let store = try ActivityStore(at: folder.file())
        let names = [
            "$(touch \(folder.file("owned")))", "`touch \(folder.file("owned"))`", "get it's", "get\u{1b}[31m",
        ]
        try await store.write(
            Events.call(0, operation: "getItem")
                + Events.call(1, operation: "getOrder", url: "https://b.example.com:8443/")
                + names.enumerated().flatMap { Events.call($0 + 2, operation: $1) })
        try await store.close()
    }

    private var hasRun: Bool { FileManager.default.fileExists(atPath: folder.file("owned")) }

    private func writeScript(_ shell: String, _ name: String) throws {
        let script = try Command.run(Self.program, ["--generate-completion-script", shell])
        let path = URL(fileURLWithPath: folder.file(name))
        try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(script.output.utf8).write(to: path)
    }

    // MARK: bash

    /// Returns the completions of bash for the last word of a command line.
    private func offered(_ words: [String]) throws -> [String] {
        try writeScript("bash", "complete.bash")
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let path = folder.file("ask.bash")
        try """
        source \(folder.file("complete.bash"))
        COMP_WORDS=(net-activity \(quoted)); COMP_CWORD=\(words.count)
        COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
        _net-activity net-activity "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" 2>/dev/null
        printf '%s\\n' "${COMPREPLY[@]}"
        """.write(toFile: path, atomically: true, encoding: .utf8)
        let command = try Command.run("/bin/bash", [path], environment: ["PATH": Self.path, "HOME": folder.file()])
        return command.lines.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test(.enabled(if: isThere("/bin/bash"), "no bash"))
    func bashCompletesHostsOperationsAndIDsOfTheFile() async throws {
        try await makeFile()
        let file = folder.file()
        #expect(try Set(offered(["list", file, "~d", ""])) == ["api.example.com", "b.example.com:8443"])
        #expect(try Set(offered(["list", file, "~op", ""])) == ["getItem", "getOrder"])
        #expect(try offered(["list", file, "~op", "getO"]) == ["getOrder"])
        #expect(try offered(["list", file, "~e ~op getO"]) == ["~e ~op getOrder"])
        let ids = try offered(["show", file, ""])
        #expect(ids.contains(id(0)), "\(ids)")
        #expect(try offered(["list", file, "~slo"]) == ["~slower"])
        #expect(try offered(["doc"]) == ["doctor"])
        #expect(try offered(["doctor", "--rule", "retry"]) == ["retry-storms"])
        // For a missing file there are no completions and no error.
        #expect(try offered(["list", "-f", folder.file("none.sqlite"), "~d", ""]).allSatisfy(\.isEmpty))
        #expect(!hasRun)
    }

    // MARK: zsh and fish, which complete in a terminal only

    private func session(_ shell: String, _ environment: [String: String]) throws -> TerminalSession {
        try TerminalSession(
            "cd \(folder.path); exec \(shell) -i", columns: 120, rows: 30,
            environment: environment.merging(["PATH": Self.path]) { $1 })
    }

    @Test(.enabled(if: isThere(zsh) && TerminalSession.isPossible, "no zsh or no tmux; see scripts/bootstrap --tests"))
    func zshCompletesHostsOperationsAndIDsOfTheFile() async throws {
        try await makeFile()
        try writeScript("zsh", "functions/_net-activity")
        try "fpath=(\(folder.file("functions")) $fpath); autoload -Uz compinit; compinit -u -D; PROMPT='> '\n".write(
            toFile: folder.file(".zshrc"), atomically: true, encoding: .utf8)
        let session = try session(Self.zsh, ["ZDOTDIR": folder.path])
        func completed(_ line: String, _ isReached: ([String]) -> Bool) async throws {
            try await session.wait { $0.last == ">" }
            try session.type(line)
            try session.press("Tab")
            try await session.wait(until: isReached)
            // Prevents a new prompt from appearing within the text typed next.
            try session.press("C-u")
            try session.press("C-l")
        }
        let list = "net-activity list activity.sqlite"
        try await completed("\(list) \\~d ") { $0.contains("api.example.com     b.example.com:8443") }
        try await completed("\(list) '~d' b") { $0.last == "> \(list) '~d' b.example.com:8443" }
        try await completed("\(list) ~op get") { $0.contains("getItem   getOrder") }
        try await completed("\(list) '~e ~op getO") { $0.last == "> \(list) '~e ~op getOrder'" }
        try await completed("\(list) '~slo") { $0.last == "> \(list) '~slower'" }
        try await completed("net-activity show activity.sqlite ") {
            $0.contains { $0.contains(id(0)) && $0.contains(id(1)) }
        }
        try await completed("net-activity doctor --rule retry") {
            $0.last == "> net-activity doctor --rule retry-storms"
        }
        try await completed("net-activity list --file act") { $0.last == "> net-activity list --file activity.sqlite" }
        #expect(!hasRun)
    }

    @Test(
        .enabled(if: isThere(fish) && TerminalSession.isPossible, "no fish or no tmux; see scripts/bootstrap --tests"))
    func fishCompletesHostsOperationsAndIDsOfTheFile() async throws {
        try await makeFile()
        try writeScript("fish", "fish/completions/net-activity.fish")
        let session = try session(Self.fish, ["XDG_CONFIG_HOME": folder.path, "fish_greeting": ""])
        var count = 0
        func completed(_ line: String) async throws -> [String] {
            count += 1
            let end = "end of \(count)"
            try session.type("clear; complete -C \"\(line)\"; echo \(end)")
            try session.press("Enter")
            let lines = try await session.wait { $0.contains(end) }
            return Array(lines.prefix { $0 != end })
        }
        let list = "net-activity list activity.sqlite"
        #expect(try await completed("\(list) ~d ") == ["api.example.com", "b.example.com:8443"])
        #expect(try await completed("\(list) ~op ") == ["getItem", "getOrder"])
        #expect(try await completed("\(list) '~e ~op getO") == ["~e ~op getOrder"])
        #expect(try await completed("\(list) ~slo") == ["~slower"])
        let ids = try await completed("net-activity show activity.sqlite ")
        #expect(ids.contains(id(0)), "\(ids)")
        #expect(ids.contains(id(1)), "\(ids)")
        let rules = try await completed("net-activity doctor --rule retry")
        try #require(rules.count == 1, "\(rules)")
        #expect(rules[0].hasPrefix("retry-storms "), "\(rules)")
        #expect(!hasRun)
    }

    private func id(_ number: Int) -> String { String(Events.id(number).description.suffix(8)) }
}
#endif
