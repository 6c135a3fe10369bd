internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// One connection of a session.
final class SessionConnection: Sendable {
    let id: SessionMachine.ConnectionID
    let socket: WebSocketConnection
    /// The messages to send.
    let outbox: SessionOutbox

    init(_ id: SessionMachine.ConnectionID, _ socket: WebSocketConnection) {
        self.id = id
        self.socket = socket
        outbox = SessionOutbox(socket)
    }

    /// Closed once nothing more is written.
    private let written = SocketMailbox<Void>()

    /// Writes until the outbox is closed and empty, or the connection has ended. An error also ends the reading, which
    /// reports it.
    func write() async {
        do throws(NetError) { try await outbox.write() } catch { socket.drop() }
        // Nothing makes room any more, so no task may wait for it.
        outbox.close()
        written.close()
    }

    /// Closes the connection after the outbox has been written, or after five seconds if the peer doesn't read.
    ///
    /// If the task is cancelled, so is that of ``write()``: it writes what the connection takes without waiting. Then
    /// the connection ends immediately.
    func close(_ code: CloseFrameCode, on clock: NetClock) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await self.written.take() }
            group.addTask { _ = try? await clock.sleep(for: Self.patience) }
            await group.next()
            group.cancelAll()
        }
        if Task.isCancelled { await Task { _ = await written.take() }.value }
        await socket.close(code)
    }

    private static let patience = Duration.seconds(5)
}
