#if Tools && Server
internal import NetCore
internal import NetSocket

/// The wire protocols that `net-lab connect` supports, by their names in its option.
enum LabWires {
    static let all: [(name: String, wire: SocketWire)] = [
        ("json", .json), ("phoenix.v2", .phoenixV2), ("phoenix.v1", .phoenixV1), ("centrifuge", .centrifuge),
        ("graphql-transport-ws", .graphQLTransport), ("graphql-ws", .graphQLLegacy), ("appsync", .appSync),
        ("jsonrpc", .jsonRPC), ("socketio", .socketIO), ("raw", .raw),
    ]

    static var names: String { all.map(\.name).joined(separator: ", ") }

    static func wire(_ name: String) -> SocketWire? { all.first { $0.name == name }?.wire }
}
#endif
