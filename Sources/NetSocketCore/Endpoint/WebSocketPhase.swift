package import NetCore

/// The state of a WebSocket, up to its end, as seen by the peer.
package enum WebSocketPhase: Sendable, Equatable {
    case open
    /// The peer has sent its close frame.
    case closing(WebSocketClosure)
    /// Both sides have sent close frames.
    case closed
    /// The client violated the protocol and was notified.
    case violated(String)
    /// The connection ended without a close frame.
    case lost
    /// The script ended the connection.
    case dropped

    package var isOver: Bool {
        switch self {
        case .open, .closing: false
        case .closed, .violated, .lost, .dropped: true
        }
    }
}
