public import NetCore

extension WebSocketTransport where Self == MockWebSocketTransport {
    /// Returns a transport that fails every attempt with the same error.
    ///
    ///     let refused = NetError(.connect, phase: .connecting, message: "refused")
    ///     let client = WebSocketClient(transport: .failing(with: refused))
    ///
    /// For a server that fails only some attempts, throw from the closure of ``MockWebSocketTransport/init(_:)``.
    public static func failing(with error: NetError) -> MockWebSocketTransport {
        MockWebSocketTransport { _, _ in throw error }
    }
}
