/// A listener of WebSockets, and what it said that it wants.
package struct SocketEventListener: Sendable {
    package let interest: ActivityInterest
    /// The number of bytes of each message that it wants.
    let messageBytes: Int
    let listener: any ActivityListener

    /// Returns nil for a listener that doesn't want WebSockets.
    package init?(_ listener: any ActivityListener) {
        interest = listener.interest
        guard !interest.isDisjoint(with: [.sockets, .socketFrames, .socketMessages]) else { return nil }
        messageBytes = interest.contains(.socketMessages) ? listener.captureLimits.bodyBytes : 0
        self.listener = listener
    }
}
