#if os(Linux)
internal import NetCore
internal import NetSocketCore

/// The state that a connection needs until it is open, and releases then.
struct OpeningHandshake {
    var machine: ClientHandshake
    let context: CallContext
    let liveness: WebSocketLiveness?
    let secretSubprotocol: String?

    init(_ machine: ClientHandshake, context: CallContext, options: WebSocketOptions) {
        self.machine = machine
        self.context = context
        liveness = options.liveness
        secretSubprotocol = options.secretSubprotocol
    }
}
#endif
