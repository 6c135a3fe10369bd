#if Server
internal import NetTesting

extension TestServer {
    /// Runs `body` with the URL of a WebSocket on loopback that sends every message back, then stops the server, even
    /// if `body` throws.
    ///
    ///     try await TestServer.withEcho { url in
    ///         let socket = try await WebSocketClient().connect(url)
    ///         try await socket.send("hello")
    ///         print(try await socket.receive())
    ///     }
    ///
    /// Returns the result of `body`. Throws its error, or those of ``start(_:webSockets:configuration:)``.
    ///
    /// - Parameters:
    ///   - subprotocols: The subprotocols that the server accepts. Default none.
    ///   - configuration: The configuration of the server. Default: plain, on a free port of 127.0.0.1.
    ///   - body: Receives the URL, such as `ws://127.0.0.1:40123/echo`; it's `wss` over TLS.
    public static func withEcho<Value>(
        subprotocols: [String] = [], configuration: Configuration = Configuration(),
        _ body: (_ url: String) async throws -> Value
    ) async throws -> Value {
        let server = try await start(
            webSockets: [.echo(subprotocols: subprotocols)], configuration: configuration)
        do {
            let value = try await body("\(server.webSocketURL)/echo")
            await server.stop()
            return value
        } catch {
            await server.stop()
            throw error
        }
    }
}
#endif
