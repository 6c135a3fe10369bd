extension SocketServerActivity {
    /// The reason for refusing a handshake.
    public enum Refusal: String, Sendable, Hashable, CaseIterable {
        /// The request isn't a valid WebSocket handshake, or its head is too large.
        case invalid
        /// No wire protocol is served at that path.
        case path
        /// The server's rules for origins don't allow the request's origin.
        case origin
        /// The credential is missing or wrong.
        case unauthorized
        /// The server has reached its limit of connections.
        case connections
        /// The address has reached its limit of connections.
        case connectionsPerAddress = "connections_per_address"
        /// The user has reached their limit of connections.
        case connectionsPerUser = "connections_per_user"
        /// The address makes handshakes too often.
        case handshakesPerAddress = "handshakes_per_address"
        /// The handshake took too long, or too many others began after it.
        case timeout
        /// The server is stopping.
        case draining
    }

    /// The outcome of a command.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// The command succeeded.
        case success
        /// The handler threw a failure whose message is sent to the client.
        case rejected
        /// The handler threw another error.
        case failed
        /// The command has no handler.
        case unknown
        /// The payload couldn't be decoded.
        case unreadable
        /// The command took too long.
        case timeout
        /// The connection ended first, or the client cancelled the command.
        case cancelled
    }

    /// The reason why a push wasn't sent to a receiver.
    public enum Drop: String, Sendable, Hashable, CaseIterable {
        /// Too much data was waiting for a slow receiver.
        case slow
        /// A newer push replaced it, in a channel that sends only the latest one.
        case replaced
        /// The connection was ending.
        case closed
        /// The receiver's wire protocol can't express it.
        case unsupported
    }
}
