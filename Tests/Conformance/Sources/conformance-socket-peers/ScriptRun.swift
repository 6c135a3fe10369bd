#if Server
import Foundation

/// A run of a script that writes a line of JSON after each of its cases.
struct ScriptRun {
    /// The name in the report.
    let name: String
    let script: String
    let arguments: [String]

    private struct Line: Decodable {
        let `case`: String
        let problem: String?
    }

    init(_ name: String, _ script: String, _ arguments: [String]) {
        self.name = name
        self.script = script
        self.arguments = arguments
    }

    func run(_ peers: PeerFolder) async throws -> CaseList {
        let cases = CaseList(name)
        let program = try PeerProgram(peers, script, arguments)
        var isDone = false
        // A script limits its cases itself; this limit is for a script that hangs.
        while !isDone, let line = try await within(.seconds(60), { try await program.line { _ in true } }) {
            if line == "done" {
                isDone = true
            } else if let line = try? JSONDecoder().decode(Line.self, from: Data(line.utf8)) {
                cases.add(line.case, line.problem)
            }
        }
        program.kill()
        cases.add("every case was run", isDone ? nil : "the script has ended before its last case")
        return cases
    }
}
#endif
