internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// One connection of a session.
final class SessionConnection: Sendable {
    let id: SessionMachine.ConnectionID
    let socket: WebSocketConnection
    /// What goes out, in order; one task writes it, many messages at once.
    let outbox = SocketMailbox<WebSocketMessage>()

    init(_ id: SessionMachine.ConnectionID, _ socket: WebSocketConnection) {
        self.id = id
        self.socket = socket
    }

    /// Writes until the outbox is closed or the connection has ended. An error ends the reading, too, which reports it.
    func write() async {
        while let messages = await outbox.take() {
            do throws(NetError) { try await socket.send(contentsOf: messages) } catch { return }
        }
    }
}
