#if Server
import NetTestServer
import NetTesting

/// A script of foreign clients, which runs its cases against our servers.
struct ClientPeer {
    /// The name in the report.
    let name: String
    let script: String
    /// Our servers, by the names of their control paths.
    let ends: [String: ServerEnd]

    func run(_ peers: PeerFolder) async throws -> CaseList {
        let server = try await TestServer.start(
            ends.flatMap { $0.value.control($0.key) }, webSockets: ends.values.map(\.stub))
        let cases = try await ScriptRun(name, script, ["\(server.port)"] + ends.keys.sorted()).run(peers)
        await server.stop()
        let problems = ends.values.flatMap(\.problems)
        cases.add("every message can be read", problems.isEmpty ? nil : problems.joined(separator: "; "))
        return cases
    }
}
#endif
