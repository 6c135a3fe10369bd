package import NetCore

/// The state of one end of a WebSocket, up to its end.
package enum WebSocketPhase: Sendable, Equatable {
    case open
    /// This end has sent its close frame.
    case closing(WebSocketClosure)
    /// Both sides have sent close frames.
    case closed
    /// The peer violated the protocol and was notified.
    case violated(String)
    /// The connection ended without a close frame.
    case lost
    /// This end has dropped the connection.
    case dropped

    package var isOver: Bool {
        switch self {
        case .open, .closing: false
        case .closed, .violated, .lost, .dropped: true
        }
    }
}
