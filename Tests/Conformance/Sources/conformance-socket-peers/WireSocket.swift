#if Server
import NetCore
import NetSocket
import NetSocketCore

/// A wire protocol over one WebSocket, without a session.
actor WireSocket {
    private let socket: WebSocketConnection
    private var machine: any WireMachine
    private var heard: [WireSignal] = []

    private init(_ socket: WebSocketConnection, _ machine: any WireMachine) {
        self.socket = socket
        self.machine = machine
    }

    /// Connects as a client.
    static func open(_ url: String, _ wire: SocketWire) async throws -> WireSocket {
        WireSocket(try await WebSocketClient().connect(url), wire.makeMachine(.client))
    }

    func say(_ signal: WireSignal) async throws {
        for message in try machine.encode(signal) { try await socket.send(message) }
    }

    /// Returns the next signal of the server.
    func hear() async throws -> WireSignal {
        while heard.isEmpty {
            let reading = try machine.decode(try await socket.receive())
            for message in reading.responses { try await socket.send(message) }
            heard += reading.signals
        }
        return heard.removeFirst()
    }

    func close() async { await socket.close() }
}
#endif
