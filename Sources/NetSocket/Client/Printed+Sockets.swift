// How clients and transports are printed and dumped: without settings, which hold users and passwords of proxies, and
// without requests.

extension WebSocketClient: CustomReflectable {
    /// Without parts.
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
