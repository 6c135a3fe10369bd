/// The first message on each connection of a client whose session has at-least-once delivery.
public struct WireResume: Sendable, Hashable {
    /// The client's name for the session, which others can't guess.
    public var session: String
    /// The last epoch that the server sent; nil if it never sent one.
    public var epoch: String?
    /// The number up to which all messages of the server have arrived in that epoch; 0 for none.
    public var received: UInt64

    /// Creates a message.
    public init(session: String, epoch: String? = nil, received: UInt64 = 0) {
        self.session = session
        self.epoch = epoch
        self.received = received
    }
}

/// The description omits the name: a peer that knows it can take over the session.
extension WireResume: CustomStringConvertible, CustomReflectable {
    public var description: String { "epoch \(epoch ?? "none"), received \(received)" }
    public var customMirror: Mirror {
        Mirror(self, children: ["epoch": epoch as Any, "received": received], displayStyle: .struct)
    }
}

/// A server's response to ``WireResume``. Right after it, both ends resend their unacknowledged messages.
public struct WireResumed: Sendable, Hashable {
    /// The epoch of the session on the server. If it differs from the client's, both ends count from 1 again, and
    /// unacknowledged messages are lost.
    public var epoch: String
    /// The number up to which all messages of the client have arrived in that epoch; 0 for none.
    public var received: UInt64

    /// Creates a response.
    public init(epoch: String, received: UInt64) {
        self.epoch = epoch
        self.received = received
    }
}
