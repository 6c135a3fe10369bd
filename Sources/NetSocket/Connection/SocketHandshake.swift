#if os(Linux)
internal import NetCore
internal import NetSocketCore

/// What a connection needs until it is open, and lets go then.
struct SocketHandshake {
    var machine: ClientHandshake
    let context: CallContext
    let liveness: WebSocketLiveness?

    init(_ machine: ClientHandshake, context: CallContext, liveness: WebSocketLiveness?) {
        self.machine = machine
        self.context = context
        self.liveness = liveness
    }
}
#endif
