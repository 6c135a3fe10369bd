internal import NetCore
internal import NetSocketCore

/// The settings of one end of an in-memory WebSocket.
struct PairSettings: Sendable {
    var role: WebSocketRole
    /// True if a script drives the end: it reads only when it is told to, and may send whatever it wants.
    var isScripted = false
    var maximumMessageBytes: Int
    /// The size of the messages that aren't received at which reading pauses, in bytes.
    var inboxBytes: Int
    var compression: WebSocketCompression?
    var liveness: WebSocketLiveness?
    /// The faults of what this end sends.
    var faults = WebSocketFaults.Direction.none
    /// The pause before each chunk arrives.
    var pause = Duration.zero
    var random = NetRandom.system
    var origin: SocketOrigin
    var log: PairLog?
    /// Whom to tell of what happens.
    var recorder: SocketRecorder?

    /// The peer, for messages.
    var peer: String { role == .client ? "the server" : "the client" }
}
