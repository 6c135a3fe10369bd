#if Tools && Server
internal import NetCore
internal import NetSocket
internal import NetTesting
internal import Synchronization

/// The server side of a wire protocol for scenarios: a function provides the replies, and signals can be sent on every
/// connection.
final class LabWireServer: Sendable {
    private struct Connection {
        let peer: any WebSocketPeer
        var machine: any WireMachine
        var said = AsyncStream<WireSignal>.makeStream()
    }

    private struct State {
        var connections: [Int: Connection] = [:]
        var last = 0
        var joins = 0
    }

    static let path = "/session"

    private let wire: SocketWire
    private let answer: @Sendable (WireSignal, LabWireServer) -> [WireSignal]
    private let state = Mutex(State())

    init(_ wire: SocketWire, answer: @escaping @Sendable (WireSignal, LabWireServer) -> [WireSignal]) {
        self.wire = wire
        self.answer = answer
    }

    /// The number of join requests.
    var joins: Int { state.withLock { $0.joins } }

    /// Sends a signal on every connection, before any later reply.
    func everywhere(_ signal: WireSignal) {
        for connection in state.withLock({ $0.connections }).values { connection.said.continuation.yield(signal) }
    }

    /// Ends every connection without a closing handshake.
    func dropAll() async {
        for connection in state.withLock({ $0.connections }).values { await connection.peer.drop() }
    }

    /// The stub for the test server.
    var stub: WebSocketStub {
        WebSocketStub("/session", subprotocols: wire.subprotocols) { [self] peer in
            let connection = Connection(peer: peer, machine: wire.makeMachine(.server))
            let number = state.withLock { state in
                state.last += 1
                state.connections[state.last] = connection
                return state.last
            }
            defer {
                connection.said.continuation.finish()
                state.withLock { _ = $0.connections.removeValue(forKey: number) }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                // A single task writes, so that signals are sent in order.
                group.addTask {
                    for await signal in connection.said.stream {
                        for message in try self.encode(signal, on: number) { try await peer.send(message) }
                    }
                }
                while let message = try await peer.receive() {
                    let reading = try decode(message, on: number)
                    for answer in reading.responses { try await peer.send(answer) }
                    for signal in reading.signals {
                        for answer in answer(signal, self) { connection.said.continuation.yield(answer) }
                    }
                }
                group.cancelAll()
            }
        }
    }

    private func encode(_ signal: WireSignal, on number: Int) throws -> [WebSocketMessage] {
        try state.withLock { try $0.connections[number]?.machine.encode(signal) ?? [] }
    }

    private func decode(_ message: WebSocketMessage, on number: Int) throws -> WireReading {
        try state.withLock { state in
            let reading = try state.connections[number]?.machine.decode(message) ?? WireReading()
            for case .join in reading.signals { state.joins += 1 }
            return reading
        }
    }
}
#endif
