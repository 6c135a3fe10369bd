internal import NetCore

extension SocketWire {
    /// Returns the error for a signal that one end can't express on the wire.
    static func unsupported(_ signal: WireSignal, from role: WebSocketRole, by name: String) -> NetError {
        unsupported("\(signal.noun) from a \(role)", by: name)
    }

    /// Returns the error for a payload that the wire can't carry.
    static func unwritable(_ problem: String, by name: String) -> NetError {
        NetError(.encoding, phase: .preparing, message: "the wire protocol \(name) can't write this: \(problem)")
    }
}

extension WireSignal {
    /// A description of the signal, for errors.
    fileprivate var noun: String {
        switch self {
        case .open: "opening message"
        case .opened: "response to an opening message"
        case .end: "end"
        case .heartbeat: "heartbeats"
        case .alive: "responses to heartbeats"
        case .request(let request): request.id == nil ? "requests without a reply" : "requests"
        case .reply: "replies"
        case .cancel: "cancellation of requests"
        case .push: "pushes"
        case .join, .joined, .joinRefused, .leave, .left: "channels"
        case .subscribe, .subscribed, .event, .completed, .unsubscribe: "subscriptions"
        case .resume, .resumed, .numbered, .acknowledge: "numbered messages"
        }
    }
}
