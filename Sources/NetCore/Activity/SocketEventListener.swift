/// A listener for WebSocket events, with its interest.
package struct SocketEventListener: Sendable {
    package let interest: ActivityInterest
    /// The number of bytes of each message that the listener receives.
    let messageBytes: Int
    let listener: any ActivityListener

    /// Creates an entry; nil if the listener isn't interested in WebSockets.
    package init?(_ listener: any ActivityListener) {
        interest = listener.interest
        guard !interest.isDisjoint(with: [.sockets, .socketFrames, .socketMessages]) else { return nil }
        messageBytes = interest.contains(.socketMessages) ? listener.captureLimits.bodyBytes : 0
        self.listener = listener
    }
}
