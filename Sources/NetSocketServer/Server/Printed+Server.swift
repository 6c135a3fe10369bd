#if Server
// Mirrors for printing and dumping the server's values: principals, header fields, bodies and work in progress are
// omitted.

extension SocketServer: CustomReflectable {
    /// The number of open connections.
    public var customMirror: Mirror { Mirror(self, children: ["connections": core.connections.count]) }
}

extension SocketConnection: CustomReflectable {
    /// The ID and the path.
    public var customMirror: Mirror { Mirror(self, children: ["id": id, "path": path]) }
}

extension SocketContext: CustomReflectable {
    /// The channel and the client's ID of the command.
    public var customMirror: Mirror {
        Mirror(self, children: ["topic": topic as Any, "requestID": requestID as Any])
    }
}

extension SocketJoin: CustomReflectable {
    /// The channel.
    public var customMirror: Mirror { Mirror(self, children: ["topic": topic]) }
}

extension SocketEvents: CustomReflectable {
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension SocketAudience: CustomReflectable {
    /// The number of connections.
    public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}

extension SocketRouter: CustomReflectable {
    /// The names of the commands.
    public var customMirror: Mirror { Mirror(self, children: ["events": events]) }
}

extension SocketRefusal: CustomReflectable {
    /// The status and the message.
    public var customMirror: Mirror { Mirror(self, children: ["status": status.code, "message": message]) }
}

extension SocketServerRequest: CustomReflectable {
    /// The method and the path.
    public var customMirror: Mirror { Mirror(self, children: ["method": method.rawValue, "path": path]) }
}

extension SocketServerResponse: CustomReflectable {
    /// The status and the size of the body.
    public var customMirror: Mirror { Mirror(self, children: ["status": status.code, "bytes": body.count]) }
}

extension SocketUpgrader: CustomReflectable {
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension SocketTypedUpgrader: CustomReflectable {
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
#endif
