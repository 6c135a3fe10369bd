#if Tools && Server
internal import NetSocket
internal import NetTesting

extension Workbench {
    /// Calls `body` with a session for a path of the peer. Nothing is connected before the session runs; its
    /// connections end with `body`. Throws ``Overdue`` after `limit`, on the system's clock.
    func withSession<Value: Sendable>(
        _ path: String, _ configuration: SocketClient.Configuration, limit: Duration = .seconds(60),
        _ body: @escaping @Sendable (SocketClient) async throws -> Value
    ) async throws -> Value {
        let sockets = peer.sockets()
        let session = SocketClient(peer.webSocketURL + path, client: sockets, configuration: configuration)
        let result: Result<Value, any Error>
        do {
            result = .success(try await Overdue.after(limit) { try await body(session) })
        } catch {
            result = .failure(error)
        }
        await sockets.shutdown()
        return try result.get()
    }
}
#endif
