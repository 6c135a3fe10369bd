import Foundation
import NetCore

#if Server
import NetTestServer
import NetTesting

/// Makes the calls of a plan, and writes what they lead to.
///
///     conformance-secrets PLAN FOLDER WIRE
///
/// FOLDER gets a folder for each run, with a folder for each output, and `matches.json`, which has the problem of each
/// recording that doesn't match. WIRE gets a folder for each run, with everything that the server has received.
let arguments = CommandLine.arguments
guard arguments.count == 4 else {
    FileHandle.standardError.write(Data("usage: conformance-secrets PLAN FOLDER WIRE\n".utf8))
    exit(2)
}
let data = try Data(contentsOf: URL(fileURLWithPath: arguments[1]))
let plan = try JSONCoding.standard.decode(Plan.self, from: Bytes(data))
let folder = URL(fileURLWithPath: arguments[2])

/// Makes the calls of a run to a server of its own.
@Sendable func make(_ run: Run) async throws {
    var configuration = TestServer.Configuration()
    configuration.maximumLoggedRequests = 100_000
    let server = try await TestServer.start(
        Site.stubs(run.calls), webSockets: Site.sockets(run.calls), configuration: configuration)
    let outputs = try Outputs(folder.appendingPathComponent(run.place))
    let world = try World(outputs, url: "http://127.0.0.1:\(server.port)")
    for call in run.calls where call.sent == nil { try await world.make(call) }
    try await world.talk(run.calls)
    try await world.post(run.calls)
    try await world.finish()
    let wire = try Outputs(URL(fileURLWithPath: arguments[3]).appendingPathComponent(run.place))
    for request in server.requests {
        outputs.print("test-server", request)
        wire.add("wire", request.wire)
    }
    outputs.print("test-server", server.journal)
    try outputs.write()
    try wire.write()
    await server.stop()
}

do {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, run) in plan.runs.enumerated() {
            if index >= 2 { try await group.next() }
            group.addTask { try await make(run) }
        }
        try await group.waitForAll()
    }
} catch {
    // Data that can't be sent, such as a credential with characters that a cookie can't have.
    FileHandle.standardError.write(Data("a call can't be made: \(error)\n".utf8))
    exit(1)
}

let server = try await TestServer.start(
    Site.stubs([]), webSockets: [.echo("/match", subprotocols: ["chat"])])
var problems: [String: String] = [:]
for match in plan.matches {
    if let problem = await match.problem("http://127.0.0.1:\(server.port)", folder.path) {
        problems[match.id] = problem
    }
}
try Data(Array(JSONCoding.standard.encode(problems))).write(to: folder.appendingPathComponent("matches.json"))
await server.stop()
#else
FileHandle.standardError.write(Data("conformance secrets: build with the trait Server\n".utf8))
exit(2)
#endif
