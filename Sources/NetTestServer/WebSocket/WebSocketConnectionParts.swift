#if Server
internal import NIOCore
internal import NetCore
internal import NetSocketCore
internal import NetTesting

/// The parts of a server-side WebSocket: its channel, its input, and its entry in the log.
struct WebSocketConnectionParts: Sendable {
    let channel: any Channel
    let queue: InboundQueue
    let core: ServerCore
    let entry: Int

    func log(_ events: [WebSocketEvent]) {
        let limit = core.configuration.maximumLoggedBodyBytes
        change { socket in
            for event in events {
                switch event {
                case .message(let message): socket.note(message, limit: limit)
                case .ping: socket.pings += 1
                case .pong: socket.pongs += 1
                case .close: break
                }
            }
        }
    }

    func log(_ end: SocketEndpoint.End) {
        change { socket in
            switch end {
            case .closed(let closure): socket.closure = closure
            case .violated(let violation):
                socket.violation = violation.message
                socket.closure = WebSocketClosure(code: violation.code, reason: violation.message, isByPeer: false)
            }
        }
    }

    private func change(_ body: (inout LoggedWebSocket) -> Void) {
        core.log.update(entry) { entry, _ in
            guard var socket = entry?.webSocket.take() else { return }
            body(&socket)
            entry?.webSocket = socket
        }
    }
}
#endif
