#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Something that a session over WebSockets does, for listeners (``ActivityInterest/sessions``).
///
/// Contains the names of events and channels and the codes of failures, but no payloads and no messages of the server. The URL
/// and all errors are redacted. The activities of a session come in order; after ``Kind/ended(_:)``, which comes once, only
/// commands follow that have ended with the session.
public struct SessionActivity: Sendable {
    /// The kind of an activity, with its details.
    public enum Kind: Sendable {
        /// A connection is open, and the wire protocol on it.
        case opened
        /// The connection was lost or couldn't be opened. The next attempt, counted from 1 since the last stable connection,
        /// follows after the wait; nil if it comes when the network is back.
        case waiting(attempt: Int, wait: Duration?, NetError)
        /// The session is paused and has no connection.
        case paused
        /// A channel was joined, with what it has missed since the last connection.
        case joined(topic: String, missed: MissedPushes)
        /// A channel couldn't be joined.
        case notJoined(topic: String, Failure)
        /// A channel was left, by this side or the server; the server's code if joining it again was refused.
        case left(topic: String, code: String?)
        /// Pushes of a channel are missing.
        case gap(topic: String)
        /// So many messages were sent and not acknowledged, and nobody sends them again.
        case undelivered(count: Int)
        /// A request of the server was not answered by its handler, which has thrown an error.
        case unhandled(event: String, NetError)
        /// A command has ended: with its reply, or without.
        case command(Command)
        /// A subscription has begun, with its number within the session.
        case subscribed(UInt64)
        /// A subscription has ended; the server's code if it ended with a failure.
        case unsubscribed(UInt64, code: String?)
        /// A message, or the payload of a push, couldn't be read.
        case unreadable(NetError)
        /// The session is over: closed by this side, or failed with an error.
        case ended(NetError?)
    }

    /// Why something was not done.
    public enum Failure: Sendable {
        /// The server refused it, with this code. Its message isn't recorded, since it may repeat what was sent.
        case rejected(code: String)
        /// It wasn't sent, or there is no readable reply.
        case failed(NetError)
    }

    /// A command, or a message without a reply.
    public struct Command: Sendable {
        /// The name of the event.
        public var event: String
        /// The channel; nil for none.
        public var topic: String?
        /// False for a message without a reply, which ends when it has been handed to the connection.
        public var wantsReply: Bool
        /// The time from sending to the end, including the wait for a connection.
        public var duration: Duration
        /// Why it has failed; nil for a success.
        public var failure: Failure?

        package init(event: String, topic: String?, wantsReply: Bool) {
            self.event = event
            self.topic = topic
            self.wantsReply = wantsReply
            duration = .zero
        }
    }

    /// The ID of the session.
    public let session: CallID
    /// The number of the activity within its session, counted from 1.
    public let sequence: Int
    /// The wall-clock time.
    public let date: Date
    /// The time since the session was created.
    public let elapsed: Duration
    /// The ID of the newest connection's opening handshake, which is that of its ``SocketEvent``s; nil before the first.
    public let socket: CallID?
    /// The redacted URL of the newest connection; nil before the first.
    public let url: String?
    /// What happened.
    public let kind: Kind

    package init(
        session: CallID, sequence: Int, date: Date, elapsed: Duration, socket: CallID?, url: String?, kind: Kind
    ) {
        self.session = session
        self.sequence = sequence
        self.date = date
        self.elapsed = elapsed
        self.socket = socket
        self.url = url
        self.kind = kind
    }
}
