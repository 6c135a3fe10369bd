import ConformanceSupport
import Foundation

#if Server
// conformance-socket-peers PYTHON SCRIPTS LOG [FILE]: runs the sessions of the library with the peers in the folder
// SCRIPTS, with an interpreter that has their packages. LOG is for their error messages, FILE for the results as JSON.

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 3 else { stop("socket-peers", "usage: conformance-socket-peers PYTHON SCRIPTS LOG [FILE]") }
guard FileManager.default.createFile(atPath: arguments[2], contents: nil),
    let log = FileHandle(forWritingAtPath: arguments[2])
else { stop("socket-peers", "cannot write \(arguments[2])") }
let peers = PeerFolder(python: URL(filePath: arguments[0]), scripts: URL(filePath: arguments[1]), log: log)

/// Every peer, by the name in its lines.
let all: [(name: String, run: @Sendable (PeerFolder) async throws -> CaseList)] = [
    ("ariadne transport", { try await AriadnePeer.run($0, "transport", .graphQLTransport) }),
    ("ariadne legacy", { try await AriadnePeer.run($0, "legacy", .graphQLLegacy) }),
    ("pyview", { try await PyViewPeer.run($0) }),
    ("centrifuge-python", { try await CentrifugeEnd.peer().run($0) }),
    ("gql", { try await GraphQLPeer.peer().run($0) }),
    ("python-socketio", { try await EventPeers.socketIO().run($0) }),
    ("jsonrpc-websocket", { try await EventPeers.jsonRPC().run($0) }),
    ("realtime", { try await ChannelPeers.realtime().run($0) }),
    ("phoenix-channels-python-client v1", { try await ChannelPeers.phoenix("v1", .phoenixV1).run($0) }),
    ("phoenix-channels-python-client v2", { try await ChannelPeers.phoenix("v2", .phoenixV2).run($0) }),
    ("server: websockets", { try await ServerPeers.websockets().run($0) }),
    ("server: websockets, numbered", { try await ServerPeers.numbered().run($0) }),
    ("server: python-socketio", { try await ServerPeers.socketIO().run($0) }),
    ("server: jsonrpc-websocket", { try await ServerPeers.jsonRPC().run($0) }),
    ("server: gql", { try await ServerPeers.graphQL().run($0) }),
    ("server: centrifuge-python", { try await ServerPeers.centrifuge().run($0) }),
    ("server: realtime", { try await ServerPeers.realtime().run($0) }),
    ("server: phoenix-channels-python-client v1", { try await ServerPeers.phoenix("v1", .phoenixV1).run($0) }),
    ("server: phoenix-channels-python-client v2", { try await ServerPeers.phoenix("v2", .phoenixV2).run($0) }),
]
// Restricts the run to some peers during development.
let chosen = (ProcessInfo.processInfo.environment["NET_SOCKET_PEERS"] ?? "").split(separator: ",")
var results: [CaseResult] = []
for (name, run) in all where chosen.isEmpty || chosen.contains(where: { name.hasPrefix($0) }) {
    do {
        results += try await run(peers).results
    } catch {
        let cases = CaseList(name)
        cases.add("the peer runs", "\(error)")
        results += cases.results
    }
}
finish("socket-peers", results, isShown: true, output: arguments.dropFirst(3).first)
#else
stop("socket-peers", "build it with the trait Server")
#endif
