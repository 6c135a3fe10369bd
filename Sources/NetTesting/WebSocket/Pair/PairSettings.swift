internal import NetCore
internal import NetSocketCore

/// The settings of one end of an in-memory WebSocket.
struct PairSettings: Sendable {
    var role: WebSocketRole
    /// True if a script drives the end: it reads only when the script does, and may send anything.
    var isScripted = false
    var maximumMessageBytes: Int
    /// The number of bytes in unreceived messages at which reading pauses.
    var inboxBytes: Int
    var compression: WebSocketCompression?
    var liveness: WebSocketLiveness?
    /// The faults of the bytes that this end sends.
    var faults = WebSocketFaults.Direction.none
    /// The pause before each chunk arrives.
    var pause = Duration.zero
    var random = NetRandom.system
    var origin: SocketOrigin
    var log: PairLog?
    /// The recorder of this end's events.
    var recorder: SocketRecorder?

    /// The peer, as named in error messages.
    var peer: String { role == .client ? "the server" : "the client" }
}
