#if Server
public import HTTPTypes
public import NetCore
internal import NetSocketCore

extension SocketServer {
    /// Serves an open WebSocket until it has ended. A test of a router needs neither a port nor real time. The server
    /// must be running (``serve()`` or ``run()``).
    ///
    /// - Parameters:
    ///   - link: The server's end.
    ///   - target: The path and query of the simulated handshake. Default `/`.
    ///   - headers: The header fields of that handshake. Default none.
    ///
    /// Throws a ``SocketRefusal`` if the handshake would be refused. The link is then closed: with 1013 if the status
    /// is temporary, and otherwise with 4401. Cancellation closes the link.
    public func serve(_ link: any WebSocketLink, target: String = "/", headers: HTTPFields = [:]) async throws {
        let handshake = SocketHandshake(target: target, headers: headers, address: nil, host: nil)
        let admission: Admission
        do {
            let (wire, ticket) = try core.check(handshake, ForwardedAddress(nil))
            admission = try await core.admit(handshake, wire, ticket)
        } catch {
            let isTemporary = error.status == .serviceUnavailable || error.status == .tooManyRequests
            await link.close(
                WebSocketClosure(
                    code: isTemporary ? .tryAgainLater : .unauthorized, reason: error.message, isByPeer: false))
            throw error
        }
        let head = ConnectionHead(
            path: handshake.path, address: nil, subprotocol: link.subprotocol, wire: admission.wire,
            sharedWire: core.sharedWire(admission.wire, link.subprotocol), compression: link.compression,
            origin: core.origin(of: handshake), handshake: core.captured(handshake))
        let lane = InlineLane()
        // The server's own runner: the commands of a session go on after its link has ended.
        let connection = ServerConnection(
            core, lane: lane, runner: core.runner, head: head, admission: admission)
        let outlet = LinkOutlet(link, connection)
        await withTaskGroup { group in
            group.addTask { await outlet.write() }
            await withTaskCancellationHandler {
                lane.run {
                    // Unless the link says that the client hasn't replied to the close frame.
                    connection.isCloseConfirmed = true
                    connection.opened(outlet)
                }
                await outlet.readUntilDropped()
            } onCancel: {
                lane.run { connection.close(.goingAway, "the server is going away") }
            }
            outlet.finish()
        }
    }
}
#endif
