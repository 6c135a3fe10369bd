#if Tools
import Foundation
import NetCore
import NetStore
import Testing

@Suite struct CompletionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What bash offers for the last word of a command line.
    private func offered(_ words: [String]) throws -> [String] {
        let program = Command.product("net-activity")
        let script = try Command.run(program, ["--generate-completion-script", "bash"])
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let path = folder.file("complete.bash")
        try """
        \(script.output)
        COMP_WORDS=(net-activity \(quoted)); COMP_CWORD=\(words.count)
        COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
        _net-activity net-activity "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" 2>/dev/null
        printf '%s\\n' "${COMPREPLY[@]}"
        """.write(toFile: path, atomically: true, encoding: .utf8)
        let tools = URL(fileURLWithPath: program).deletingLastPathComponent().path
        let command = try Command.run(
            "/bin/bash", [path], environment: ["PATH": "\(tools):/usr/bin:/bin", "HOME": folder.file()])
        return command.lines.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "there is no bash"))
    func bashCompletesHostsOperationsAndIDsOfTheFile() async throws {
        let file = folder.file()
        let store = try ActivityStore(at: file)
        try await store.write(
            Events.call(0, operation: "getItem")
                + Events.call(1, operation: "getOrder", url: "https://b.example.com:8443/"))
        try await store.close()
        #expect(try Set(offered(["list", file, "~d", ""])) == ["api.example.com", "b.example.com:8443"])
        #expect(try Set(offered(["list", file, "~op", "get"])) == ["getItem", "getOrder"])
        #expect(try offered(["list", file, "~op", "getO"]) == ["getOrder"])
        let ids = try offered(["show", file, ""])
        #expect(ids.contains(String(Events.id(0).description.suffix(8))), "\(ids)")
        #expect(try offered(["list", file, "~slo"]) == ["~slower"])
        #expect(try offered(["doc"]) == ["doctor"])
        // A file that isn't there has nothing to offer, and no error is shown.
        #expect(try offered(["list", "-f", folder.file("none.sqlite"), "~d", ""]).allSatisfy(\.isEmpty))
    }
}
#endif
