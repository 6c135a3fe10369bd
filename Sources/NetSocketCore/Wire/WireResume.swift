/// The first message of a client whose session delivers at least once, on each connection.
public struct WireResume: Sendable, Hashable {
    /// The client's name for the session, which nobody else can guess.
    public var session: String
    /// The number up to which everything of the server has arrived; 0 for nothing.
    public var received: UInt64

    /// Creates a message.
    public init(session: String, received: UInt64) {
        self.session = session
        self.received = received
    }
}

/// A server's answer to ``WireResume``. What isn't acknowledged is sent again right after it, by both ends.
public struct WireResumed: Sendable, Hashable {
    /// The number up to which everything of the client has arrived; 0 for nothing.
    public var received: UInt64
    /// Whether the server knows the session. If it doesn't, both ends count from 1 again, and what was not acknowledged is
    /// lost.
    public var isKnown: Bool

    /// Creates an answer.
    public init(received: UInt64, isKnown: Bool) {
        self.received = received
        self.isKnown = isKnown
    }
}
