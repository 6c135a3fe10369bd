#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An activity of a WebSocket server, for listeners (``ActivityInterest/socketServers``).
///
/// Contains the names of commands and channels and the codes of failures, but no users, addresses, headers, queries,
/// payloads, close reasons or error messages. The path is redacted. The activities of a connection come in order, with
/// exactly one ``Kind/closed(_:isByPeer:)``; only commands, subscriptions and channels that ended with the connection
/// follow it.
public struct SocketServerActivity: Sendable {
    /// The kind of an activity, with its details.
    public enum Kind: Sendable {
        /// A handshake was refused. `status` is nil if no response was sent.
        case refused(Refusal, status: Int?)
        /// A WebSocket is open.
        case opened(Opening)
        /// A client identified itself in a message, or renewed its credentials.
        case authenticated
        /// A connection joined a channel.
        case joined(topic: String)
        /// A connection wasn't allowed to join a channel. The channel's name comes from the client and isn't recorded;
        /// `pattern` is the router's pattern that it matches, nil if there is none. `code` is the code of the failure.
        case notJoined(pattern: String?, code: String)
        /// A connection is no longer in a channel.
        case left(topic: String)
        /// The handler of a command has ended.
        case command(Command)
        /// A subscription began, with its number within the connection.
        case subscribed(UInt64)
        /// A subscription ended. `code` is the code of the failure if it ended with one.
        case unsubscribed(UInt64, code: String?)
        /// A client's message couldn't be read. The value is its size, in bytes; its content isn't recorded.
        case unreadable(bytes: Int)
        /// Pushes weren't sent to a client. The values are their number and the reason.
        case dropped(Int, Drop)
        /// The WebSocket ended. The close reason isn't recorded, because it may repeat data that was sent.
        case closed(WebSocketCloseCode, isByPeer: Bool)
        /// The fan-out engine can't reach its broker: pushes to channels fail or wait. `reason` comes from the engine.
        case fanOutAway(reason: String)
        /// The fan-out engine can reach its broker again. Missed pushes have been delivered, or reported as gaps.
        case fanOutBack
        /// Pushes of a channel were lost; its members are notified.
        case gap(topic: String)
        /// The server accepts no new connections and is ending the existing ones. `connections` is their number.
        case drainBegan(connections: Int)
        /// The server has ended. `cutOff` is the number of connections that had to be cut off.
        case drainEnded(cutOff: Int)
    }

    /// The details of an opened WebSocket.
    public struct Opening: Sendable, Hashable {
        /// The name of the wire protocol.
        public var wire: String
        /// The subprotocol that both sides agreed on; nil if there is none.
        public var subprotocol: String?
        /// False if the client still has to identify itself in a message.
        public var isAuthenticated: Bool

        package init(wire: String, subprotocol: String?, isAuthenticated: Bool) {
            self.wire = wire
            self.subprotocol = subprotocol
            self.isAuthenticated = isAuthenticated
        }
    }

    /// A command whose handler has run.
    public struct Command: Sendable, Hashable {
        /// The place where a handler runs.
        public enum Executor: String, Sendable, Hashable, CaseIterable {
            /// Without a task, while its connection is being read.
            case immediate
            /// In a task on the event loop of its connection.
            case loop
            /// In a task on the thread pool that all tasks share.
            case pool
        }

        /// The name recorded for all commands without a route, because a client may send any name.
        public static let otherEvent = "_OTHER"
        /// The name recorded for messages of wire protocols without event names.
        public static let messageEvent = "message"

        /// The name of the command's route; ``otherEvent`` if it has none.
        public var event: String
        /// The channel; nil if there is none, or if nobody is in it.
        public var topic: String?
        /// False for a command that gets no reply.
        public var wantsReply: Bool
        /// The place where the handler ran.
        public var executor: Executor
        /// True for a serial command, which runs after earlier serial commands of its connection.
        public var isSerial: Bool
        /// The time that the handler took.
        public var duration: Duration
        /// The outcome of the command.
        public var outcome: Outcome
        /// The code of the failure that was sent to the client; nil if the command succeeded.
        public var code: String?

        package init(event: String, topic: String?, wantsReply: Bool, executor: Executor, isSerial: Bool) {
            self.event = event
            self.topic = topic
            self.wantsReply = wantsReply
            self.executor = executor
            self.isSerial = isSerial
            duration = .zero
            outcome = .success
        }
    }

    /// The ID of the server.
    public let server: CallID
    /// The ID of the connection, which its ``SocketEvent``s share; nil for a handshake and for the server itself.
    public let connection: CallID?
    /// The number of the activity within its server, counted from 1.
    public let sequence: Int
    /// The wall-clock time.
    public let date: Date
    /// The time since the connection was opened; without a connection, the time since the server was created.
    public let elapsed: Duration
    /// The redacted path of the connection's handshake; nil without a connection.
    public let path: String?
    /// The kind of the activity, with its details.
    public let kind: Kind

    package init(
        server: CallID, connection: CallID?, sequence: Int, date: Date, elapsed: Duration, path: String?, kind: Kind
    ) {
        self.server = server
        self.connection = connection
        self.sequence = sequence
        self.date = date
        self.elapsed = elapsed
        self.path = path
        self.kind = kind
    }
}
