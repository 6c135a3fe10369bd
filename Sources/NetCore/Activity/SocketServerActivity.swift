#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Something that a WebSocket server does, for listeners (``ActivityInterest/socketServers``).
///
/// Contains the names of commands and channels and the codes of failures, but no users, addresses, header fields, queries,
/// payloads, reasons of closures or messages of errors. The path is redacted. The activities of a connection come in order, and
/// exactly one ``Kind/closed(_:isByPeer:)``; only commands, subscriptions and channels that have ended with the connection
/// follow it.
public struct SocketServerActivity: Sendable {
    /// The kind of an activity, with its details.
    public enum Kind: Sendable {
        /// A handshake was refused; nil for one that got no response.
        case refused(Refusal, status: Int?)
        /// A WebSocket is open.
        case opened(Opening)
        /// A client has said in a message who it is, or has renewed its credentials.
        case authenticated
        /// A connection is in a channel.
        case joined(topic: String)
        /// A connection isn't let into a channel. Its name is the client's and isn't recorded: the pattern of the router that
        /// it fits; nil for none. And the failure's code.
        case notJoined(pattern: String?, code: String)
        /// A connection isn't in a channel any more.
        case left(topic: String)
        /// The handler of a command has ended.
        case command(Command)
        /// A subscription has begun, with its number within the connection.
        case subscribed(UInt64)
        /// A subscription has ended; the failure's code if it ended with one.
        case unsubscribed(UInt64, code: String?)
        /// So many pushes weren't sent to a client.
        case dropped(Int, Drop)
        /// The WebSocket has ended. The reason of the closure isn't recorded, since it may hold what was sent.
        case closed(WebSocketCloseCode, isByPeer: Bool)
        /// The fan-out engine can't reach its broker: pushes to channels fail or wait. The value is the engine's reason.
        case fanOutAway(reason: String)
        /// The fan-out engine reaches its broker again. Missed pushes have been delivered, or reported as gaps.
        case fanOutBack
        /// Pushes of a channel were lost; its members are notified.
        case gap(topic: String)
        /// The server takes no new connections, and ends those that it has.
        case drainBegan(connections: Int)
        /// The server has ended; so many connections had to be cut off.
        case drainEnded(cutOff: Int)
    }

    /// How a WebSocket begins.
    public struct Opening: Sendable, Hashable {
        /// The name of the wire protocol.
        public var wire: String
        /// The subprotocol that both sides have agreed on; nil for none.
        public var subprotocol: String?
        /// False if the client has yet to say in a message who it is.
        public var isAuthenticated: Bool

        package init(wire: String, subprotocol: String?, isAuthenticated: Bool) {
            self.wire = wire
            self.subprotocol = subprotocol
            self.isAuthenticated = isAuthenticated
        }
    }

    /// A command whose handler has run.
    public struct Command: Sendable, Hashable {
        /// Where a handler runs.
        public enum Executor: String, Sendable, Hashable, CaseIterable {
            /// Without a task, while its connection is being read.
            case immediate
            /// In a task on the event loop of its connection.
            case loop
            /// In a task on the threads that all tasks share.
            case pool
        }

        /// The name for commands that have no route of their own: a client may send any other name.
        public static let otherEvent = "_OTHER"
        /// The name for messages of wire protocols that have no names.
        public static let messageEvent = "message"

        /// The name of its route; ``otherEvent`` if it has none.
        public var event: String
        /// The channel; nil for none, and for one that nobody is in.
        public var topic: String?
        /// False for a command that gets no reply.
        public var wantsReply: Bool
        /// Where its handler has run.
        public var executor: Executor
        /// Whether it has waited for earlier serial commands of its connection.
        public var isSerial: Bool
        /// The time that its handler has taken.
        public var duration: Duration
        /// How it has ended.
        public var outcome: Outcome
        /// The code of the failure that the client was told; nil for a success.
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
    /// The ID of the connection, which is that of its ``SocketEvent``s; nil for a handshake and for the server itself.
    public let connection: CallID?
    /// The number of the activity within its server, counted from 1.
    public let sequence: Int
    /// The wall-clock time.
    public let date: Date
    /// The time since the connection was opened; without a connection, since the server was created.
    public let elapsed: Duration
    /// The redacted path of the connection's handshake; nil without a connection.
    public let path: String?
    /// What happened.
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
