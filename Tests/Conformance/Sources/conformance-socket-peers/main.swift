import ConformanceSupport
import Foundation

#if Server
// conformance-socket-peers PYTHON DAEMONPYTHON SCRIPTS LOG [FILE]: runs the sessions of the library with the peers in
// the folder SCRIPTS, with an interpreter that has their packages, and one for daemons. LOG is for their error messages,
// FILE for the results as JSON.

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 4 else {
    stop("socket-peers", "usage: conformance-socket-peers PYTHON DAEMONPYTHON SCRIPTS LOG [FILE]")
}
guard FileManager.default.createFile(atPath: arguments[3], contents: nil),
    let log = FileHandle(forWritingAtPath: arguments[3])
else { stop("socket-peers", "cannot write \(arguments[3])") }
let peers = PeerFolder(
    python: URL(filePath: arguments[0]), daemonPython: URL(filePath: arguments[1]),
    scripts: URL(filePath: arguments[2]),
    log: log)
let environment = ProcessInfo.processInfo.environment
/// The duration of the longest case with heart-beats.
let seconds = environment["NET_SOCKET_PEERS_BEATS"].flatMap { Int($0) } ?? 20

/// The paths of the ASGI application.
let asgi = EchoPeers.Ways(close: "/close")
/// Some of its servers refuse to pick a subprotocol that wasn't offered.
let lenient = EchoPeers.Ways(close: "/close", subprotocol: "/subprotocol-not-offered")

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
    ("mosquitto", { try await BrokerPeers.mosquitto($0) }),
    ("nats", { try await BrokerPeers.nats($0) }),
    ("nats-token", { try await BrokerPeers.natsToken($0) }),
    ("rabbitmq", { try await BrokerPeers.rabbitMQ($0, seconds: seconds) }),
    ("prosody", { try await ProgramPeers.prosody($0) }),
    ("weechat", { try await ProgramPeers.weeChat($0) }),
    ("jupyter", { try await ProgramPeers.jupyter($0, seconds: seconds) }),
    ("chromium", { try await ProgramPeers.chromium($0) }),
    (
        "websockify",
        { try await EchoPeers.run($0, "websockify", .init(echo: "", refusal: nil, close: nil, isBinary: true)) }
    ),
    ("tornado", { try await EchoPeers.run($0, "tornado") }),
    ("socketify", { try await EchoPeers.run($0, "socketify") }),
    ("hypercorn", { try await EchoPeers.run($0, "hypercorn", asgi) }),
    ("uvicorn-websockets", { try await EchoPeers.run($0, "uvicorn-websockets", lenient) }),
    ("uvicorn-wsproto", { try await EchoPeers.run($0, "uvicorn-wsproto", asgi) }),
    ("uvicorn-sansio", { try await EchoPeers.run($0, "uvicorn-sansio", lenient) }),
    ("nginx", { try await EchoPeers.run($0, "nginx", asgi) }),
]
// Restricts the run to some peers during development.
let chosen = (environment["NET_SOCKET_PEERS"] ?? "").split(separator: ",")
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
let skipped = CaseList.skipped.withLock { $0 }
if !skipped.isEmpty { print("skipped \(skipped.count) peers: \(skipped.joined(separator: ", "))") }
finish("socket-peers", results, isShown: true, output: arguments.dropFirst(4).first)
#else
stop("socket-peers", "build it with the trait Server")
#endif
