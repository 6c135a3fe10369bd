// Printed and dumped representations of clients and transports. They omit settings, which hold users and passwords of
// proxies, and requests.

extension WebSocketClient: CustomReflectable {
    /// No parts, since the settings may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension WebSocketConnection: CustomReflectable {
    /// The response and the subprotocol, without the link.
    public var customMirror: Mirror {
        Mirror(self, children: ["response": response, "subprotocol": subprotocol as Any])
    }
}

#if os(Linux)
extension CurlWebSocketTransport: CustomReflectable {
    /// The number of connections.
    public var customMirror: Mirror {
        Mirror(self, children: ["openConnections": openConnections], displayStyle: .struct)
    }
}
#endif
