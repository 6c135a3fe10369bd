#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An activity of a session over WebSockets, for listeners (``ActivityInterest/sessions``).
///
/// Contains the names of events and channels and the codes of failures, but no payloads and no server messages. The URL
/// and all errors are redacted. The activities of a session come in order. ``Kind/ended(_:)`` comes once; only commands
/// that ended with the session follow it.
public struct SessionActivity: Sendable {
    /// The kind of an activity, with its details.
    public enum Kind: Sendable {
        /// A connection and the wire protocol on it are open.
        case opened
        /// The connection was lost or couldn't be opened. The next attempt, counted from 1 since the last stable
        /// connection, follows after `wait`; nil if it follows when the network is available again.
        case waiting(attempt: Int, wait: Duration?, NetError)
        /// The session is paused and has no connection.
        case paused
        /// A channel was joined; `missed` describes the pushes missed since the last connection.
        case joined(topic: String, missed: MissedPushes)
        /// A channel couldn't be joined.
        case notJoined(topic: String, Failure)
        /// A channel was left, by this side or by the server. `code` is the server's code if it refused a rejoin.
        case left(topic: String, code: String?)
        /// Pushes of a channel are missing.
        case gap(topic: String)
        /// Messages were sent but not acknowledged, and won't be sent again. `count` is their number.
        case undelivered(count: Int)
        /// A server request wasn't handled: its handler threw this error, or the wire protocol can't express the reply.
        case unhandled(event: String, NetError)
        /// A command ended, with or without its reply.
        case command(Command)
        /// A subscription began, with its number within the session.
        case subscribed(UInt64)
        /// A subscription ended. `code` is the server's code if it ended with a failure.
        case unsubscribed(UInt64, code: String?)
        /// A message, or the payload of a push, couldn't be read.
        case unreadable(NetError)
        /// The session ended: closed by this side, or failed with an error.
        case ended(NetError?)
    }

    /// The reason why a command or a join failed.
    public enum Failure: Sendable {
        /// The server refused it, with this code. Its message isn't recorded, since it may repeat what was sent.
        case rejected(code: String)
        /// The request wasn't sent, or its reply is missing or unreadable.
        case failed(NetError)
    }

    /// A command, or a message without a reply.
    public struct Command: Sendable {
        /// The name of the event.
        public var event: String
        /// The channel; nil if there is none.
        public var topic: String?
        /// False for a message without a reply. Such a message ends when it has been handed to the connection.
        public var wantsReply: Bool
        /// The time from sending to the end, including the wait for a connection.
        public var duration: Duration
        /// The reason for the failure; nil if the command succeeded.
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
    /// The ID of the newest connection's opening handshake, which its ``SocketEvent``s share; nil before the first
    /// connection.
    public let socket: CallID?
    /// The redacted URL of the newest connection; nil before the first connection.
    public let url: String?
    /// The kind of the activity, with its details.
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
