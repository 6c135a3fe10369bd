/// The first message of a client whose session delivers at least once, on each connection.
public struct WireResume: Sendable, Hashable {
    /// The client's name for the session, which nobody else can guess.
    public var session: String
    /// The epoch that the server told last; nil if it never has.
    public var epoch: String?
    /// The number up to which everything of the server has arrived in that epoch; 0 for nothing.
    public var received: UInt64

    /// Creates a message.
    public init(session: String, epoch: String? = nil, received: UInt64 = 0) {
        self.session = session
        self.epoch = epoch
        self.received = received
    }
}

/// Whoever knows the name can take the session over.
extension WireResume: CustomStringConvertible, CustomReflectable {
    public var description: String { "epoch \(epoch ?? "none"), received \(received)" }
    public var customMirror: Mirror {
        Mirror(self, children: ["epoch": epoch as Any, "received": received], displayStyle: .struct)
    }
}

/// A server's answer to ``WireResume``. What isn't acknowledged is sent again right after it, by both ends.
public struct WireResumed: Sendable, Hashable {
    /// The name of the life of the session at the server. In another one than the client's, both ends count from 1 again, and
    /// what was not acknowledged is lost.
    public var epoch: String
    /// The number up to which everything of the client has arrived in that epoch; 0 for nothing.
    public var received: UInt64

    /// Creates an answer.
    public init(epoch: String, received: UInt64) {
        self.epoch = epoch
        self.received = received
    }
}
