package import NetCore

/// What a peer has seen of a WebSocket's end.
package enum WebSocketPhase: Sendable, Equatable {
    case open
    /// The peer's close frame is out.
    case closing(WebSocketClosure)
    /// Close frames have gone both ways.
    case closed
    /// The client broke the protocol; it was told so.
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
