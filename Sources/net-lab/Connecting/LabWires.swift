#if Tools && Server
internal import NetCore
internal import NetSocket

/// The wire protocols that `net-lab connect` speaks, by the names of its option.
enum LabWires {
    static let all: [(name: String, wire: SocketWire)] = [
        ("json", .json), ("phoenix.v2", .phoenixV2), ("phoenix.v1", .phoenixV1), ("centrifuge", .centrifuge),
        ("graphql-transport-ws", .graphQLTransport), ("graphql-ws", .graphQLLegacy), ("appsync", .appSync),
        ("jsonrpc", .jsonRPC), ("socketio", .socketIO), ("raw", raw),
    ]

    static var names: String { all.map(\.name).joined(separator: ", ") }

    static func wire(_ name: String) -> SocketWire? { all.first { $0.name == name }?.wire }

    /// No envelope: what is sent is the payload, and every message is a push without a name.
    private static let raw = SocketWire("raw", features: [.notifications, .pushes]) { _ in BareWire() }
}

/// The client's end of a wire without an envelope.
private struct BareWire: WireMachine {
    mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] {
        guard case .request(let request) = signal, request.id == nil, let payload = request.payload else {
            throw NetError(.unsupported, phase: .preparing, message: "the wire raw has messages only; use push")
        }
        return [payload.json.map { .text($0) } ?? .binary(payload.bytes)]
    }

    mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading {
        let payload =
            switch message {
            case .text(let text): SocketPayload(json: text)
            case .binary(let bytes): SocketPayload(bytes: bytes)
            }
        return WireReading([.push(WirePush(event: "", payload: payload))])
    }
}
#endif
