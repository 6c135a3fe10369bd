internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// The log of one in-memory WebSocket, which outlives it.
final class PairLog: Sendable {
    private let socket: Mutex<LoggedWebSocket>
    /// The maximum number of message bytes that are kept.
    private static let limit = 1 << 20

    init(_ socket: LoggedWebSocket) {
        self.socket = Mutex(socket)
    }

    var value: LoggedWebSocket { socket.withLock { $0 } }

    func note(_ events: [WebSocketEvent]) {
        socket.withLock { socket in
            for event in events {
                switch event {
                case .message(let message): socket.note(message, limit: Self.limit)
                case .ping: socket.pings += 1
                case .pong: socket.pongs += 1
                case .close: break
                }
            }
        }
    }

    func note(_ end: SocketEndpoint.End) {
        socket.withLock { socket in
            switch end {
            case .closed(let closure): socket.closure = closure
            case .violated(let violation):
                socket.violation = violation.message
                socket.closure = WebSocketClosure(code: violation.code, reason: violation.message, isByPeer: false)
            }
        }
    }
}
