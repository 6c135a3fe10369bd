#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A message of a WebSocket, for listeners that want it (``ActivityInterest/socketMessages``).
///
/// Clients and servers hand over the messages of a WebSocket in order, those that were sent in parts when the last part is.
/// Control frames aren't messages.
///
/// It holds secrets as they were sent. Only ``redacted()`` reads it, and nothing of it is printed. Call that on a thread of
/// your own: `record` must return immediately.
public struct CapturedSocketMessage: Sendable {
    /// The ID of the call that opened the WebSocket; on a server, of the connection.
    public let socket: CallID
    /// The side that reports.
    public let side: SocketEvent.Side
    /// The number of the message within its WebSocket, counted from 1 over both directions.
    public let sequence: Int
    /// The direction, seen from this side.
    public let direction: SocketEvent.Direction
    /// The wall-clock time.
    public let date: Date
    /// The time since the WebSocket was opened.
    public let elapsed: Duration
    /// Text or bytes.
    public let kind: WebSocketMessage.Kind
    /// The size of the whole message in bytes, before compression.
    public let count: Int
    /// True if only the beginning of the message was kept (``CaptureLimits/bodyBytes``).
    public let isCut: Bool
    private let content: WebSocketMessage
    private let capture: SocketCapture

    init(
        _ content: WebSocketMessage, of count: Int, _ direction: SocketEvent.Direction, sequence: Int, date: Date,
        elapsed: Duration, socket: CallID, side: SocketEvent.Side, _ capture: SocketCapture
    ) {
        self.content = content
        self.count = count
        self.direction = direction
        self.sequence = sequence
        self.date = date
        self.elapsed = elapsed
        self.socket = socket
        self.side = side
        self.capture = capture
        kind = content.kind
        isCut = content.count < count
    }

    /// The number of bytes that it holds.
    package var keptCount: Int { content.count }

    /// Returns the message, or its beginning, without secrets: sensitive members of JSON, and whatever the handshake or JSON
    /// that the client has sent has shown to be a secret, wherever it stands. In any other text or bytes, a secret can't be
    /// recognized.
    ///
    /// Call it for the messages of a WebSocket in their order: a secret that only an earlier message names is hidden in
    /// later ones.
    public func redacted() -> WebSocketMessage {
        let isClient = (side == .client) == (direction == .sent)
        return capture.redact(content, from: isClient ? .client : .server, isCut: isCut)
    }
}

extension CapturedSocketMessage: CustomStringConvertible, CustomReflectable {
    /// The WebSocket, the number and the size, without any content.
    public var description: String {
        "socket \(socket), message \(sequence): \(direction.rawValue) \(kind), \(count) bytes"
    }

    public var customMirror: Mirror { Mirror(self, children: ["message": description]) }
}
