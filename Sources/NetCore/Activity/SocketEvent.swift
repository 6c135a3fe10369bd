#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An event of a WebSocket. The URL and all texts in it are redacted.
///
/// For a client, the opening handshake is a call with separate events (``ActivityEvent``); ``socket`` is the ID of that
/// call. The events of a WebSocket come in order: `opened`, then frames and round trips, and exactly one `closed`.
public struct SocketEvent: Sendable {
    /// The side of a WebSocket that reports its events.
    public enum Side: String, Sendable, Hashable {
        /// The side that opened the WebSocket.
        case client
        /// The side that accepted the WebSocket.
        case server
    }

    /// The direction of a frame, seen from this side.
    public enum Direction: String, Sendable, Hashable {
        /// From this side to the peer.
        case sent
        /// From the peer to this side.
        case received
    }

    /// The kind of an event, with its details.
    public enum Kind: Sendable {
        /// The handshake was accepted, by the server or by this side.
        case opened(Opening)
        /// A message, a part of a message, or a control frame (``ActivityInterest/socketFrames``).
        case frame(Frame)
        /// The pong of a ping arrived after this time.
        case roundTrip(Duration)
        /// The WebSocket ended. No event of the WebSocket follows.
        case closed(Ending)
    }

    /// The details of an opened WebSocket.
    public struct Opening: Sendable {
        /// The subprotocol; nil if there is none, or if it contains a secret.
        public var subprotocol: String?
        /// The compression; nil if there is none.
        public var compression: WebSocketCompression?
        /// The address and port of the server, or of the proxy; nil on a server, or if the transport doesn't know them.
        public var address: String?

        /// Creates the details.
        public init(subprotocol: String? = nil, compression: WebSocketCompression? = nil, address: String? = nil) {
            self.subprotocol = subprotocol
            self.compression = compression
            self.address = address
        }
    }

    /// A frame, or a whole message that was received in any number of frames.
    public struct Frame: Sendable {
        /// The kind of a frame.
        public enum Kind: String, Sendable, Hashable {
            case text, binary, ping, pong, close
        }

        /// The direction.
        public var direction: Direction
        /// The kind.
        public var kind: Kind
        /// The size of the payload in bytes, before compression.
        public var bytes: Int
        /// The beginning of a JSON text, redacted (``ActivityInterest/socketPreviews``); otherwise nil.
        public var preview: String?

        /// Creates the details.
        public init(_ direction: Direction, _ kind: Kind, bytes: Int, preview: String? = nil) {
            self.direction = direction
            self.kind = kind
            self.bytes = bytes
            self.preview = preview
        }
    }

    /// The number and size of the messages in one direction.
    public struct Total: Sendable, Hashable {
        /// The number of messages.
        public var messages = 0
        /// The size of their payloads in bytes, before compression.
        public var bytes: Int64 = 0

        /// Creates a total of zero messages.
        public init() {}
    }

    /// The end of a WebSocket, with the totals of its messages.
    public struct Ending: Sendable {
        /// The code of the closing handshake; ``WebSocketCloseCode/abnormalClosure`` if there was none. The peer's
        /// reason isn't recorded, because it may repeat data that was sent to the peer.
        public var code: WebSocketCloseCode
        /// True if the peer began the closing handshake, or the connection was lost.
        public var isByPeer: Bool
        /// The error that receiving throws.
        public var error: NetError
        /// The messages that this side sent.
        public var sent = Total()
        /// The messages that the peer sent.
        public var received = Total()
    }

    /// The ID of the call that opened the WebSocket; on a server, the ID of the connection.
    public let socket: CallID
    /// The side that reports the event.
    public let side: Side
    /// The number of the event within its WebSocket, counted from 1.
    public let sequence: Int
    /// The wall-clock time.
    public let date: Date
    /// The time since the WebSocket was opened.
    public let elapsed: Duration
    /// The redacted URL; on a server, the redacted path.
    public let url: String
    /// The metadata of the request; empty on a server.
    public let metadata: RequestMetadata
    /// The kind of the event, with its details.
    public let kind: Kind
}
