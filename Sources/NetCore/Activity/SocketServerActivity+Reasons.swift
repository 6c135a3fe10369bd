extension SocketServerActivity {
    /// Why a handshake was refused.
    public enum Refusal: String, Sendable, Hashable, CaseIterable {
        /// The request isn't a valid WebSocket handshake, or its head is too large.
        case invalid
        /// No wire protocol is served at that path.
        case path
        /// The server's rules for origins don't allow the page.
        case origin
        /// The credential is missing or wrong.
        case unauthorized
        /// The server has as many connections as it may.
        case connections
        /// The address has as many connections as it may.
        case connectionsPerAddress = "connections_per_address"
        /// The user has as many connections as they may.
        case connectionsPerUser = "connections_per_user"
        /// The address makes handshakes too often.
        case handshakesPerAddress = "handshakes_per_address"
        /// The handshake took too long, or too many others began after it.
        case timeout
        /// The server stops.
        case draining
    }

    /// What became of a command.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// It was done.
        case success
        /// The handler has thrown a failure that the client is told in words.
        case rejected
        /// The handler has thrown another error.
        case failed
        /// There is no handler for it.
        case unknown
        /// Its payload couldn't be decoded.
        case unreadable
        /// It took too long.
        case timeout
        /// The connection ended before, or the client has cancelled it.
        case cancelled
    }

    /// Why a push wasn't sent to a receiver.
    public enum Drop: String, Sendable, Hashable, CaseIterable {
        /// Too much waited for a slow receiver.
        case slow
        /// A newer one has replaced it in a channel that sends the latest only.
        case replaced
        /// The connection was ending.
        case closed
        /// The receiver's wire protocol can't express it.
        case unsupported
    }
}
