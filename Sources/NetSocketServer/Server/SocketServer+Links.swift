#if Server
public import HTTPTypes
public import NetCore
internal import NetSocketCore

extension SocketServer {
    /// Serves a WebSocket that is open already, until it has ended: the router's answers need no port, and no time that a test
    /// doesn't let pass. The server must run (``serve()`` or ``run()``).
    ///
    /// - Parameters:
    ///   - link: The server's end.
    ///   - target: The path and query of the handshake that never was. Default `/`.
    ///   - headers: Its header fields. Default none.
    ///
    /// Throws a ``SocketRefusal`` if the handshake would be refused; the link is closed then, with 1013 for a status that may be
    /// another one later, and otherwise with 4401. Cancellation closes the link.
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
        let runner = CommandRunner(on: nil)
        let connection = ServerConnection(
            core, lane: lane, runner: runner, head: head, admission: admission)
        let outlet = LinkOutlet(link, connection)
        await withTaskGroup { group in
            group.addTask { await runner.run() }
            group.addTask { await outlet.write() }
            await withTaskCancellationHandler {
                lane.run { connection.opened(outlet) }
                await outlet.readUntilDropped()
            } onCancel: {
                lane.run { connection.close(.goingAway, "the server is going away") }
            }
            runner.close()
            outlet.finish()
        }
    }
}
#endif
