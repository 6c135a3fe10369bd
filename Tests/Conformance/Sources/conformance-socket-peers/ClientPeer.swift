#if Server
import Foundation
import NetTestServer
import NetTesting

/// A script of clients that aren't ours, which runs its cases against ends of ours and writes a line of JSON after each.
struct ClientPeer {
    /// The name in the report.
    let name: String
    let script: String
    /// Our ends, by the name of their control.
    let ends: [String: ServerEnd]

    private struct Line: Decodable {
        let `case`: String
        let problem: String?
    }

    func run(_ peers: PeerFolder) async throws -> CaseList {
        let cases = CaseList(name)
        let server = try await TestServer.start(
            ends.flatMap { $0.value.control($0.key) }, webSockets: ends.values.map(\.stub))
        let program = try PeerProgram(peers, script, ["\(server.port)"] + ends.keys.sorted())
        var isDone = false
        // A script limits its cases itself; this is for one that hangs.
        while !isDone, let line = try await within(.seconds(60), { try await program.line { _ in true } }) {
            if line == "done" {
                isDone = true
            } else if let line = try? JSONDecoder().decode(Line.self, from: Data(line.utf8)) {
                cases.add(line.case, line.problem)
            }
        }
        program.kill()
        await server.stop()
        cases.add("every case was run", isDone ? nil : "the script has ended before its last case")
        let problems = ends.values.flatMap(\.problems)
        cases.add("every message can be read", problems.isEmpty ? nil : problems.joined(separator: "; "))
        return cases
    }
}
#endif
