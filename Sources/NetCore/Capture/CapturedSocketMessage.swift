#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A WebSocket message, for listeners with the interest ``ActivityInterest/socketMessages``.
///
/// Clients and servers report the messages of a WebSocket in order. A message that is sent in parts is reported with
/// its last part. Control frames aren't messages.
///
/// It holds secrets as they were sent. Only ``redacted()`` gives access to the content, and descriptions omit it. Call
/// ``redacted()`` on a separate thread, because `record` must return immediately.
public struct CapturedSocketMessage: Sendable {
    /// The ID of the call that opened the WebSocket; on a server, the ID of the connection.
    public let socket: CallID
    /// The side that reports the message.
    public let side: SocketEvent.Side
    /// The number of the message within its WebSocket, counted from 1 over both directions.
    public let sequence: Int
    /// The direction, seen from this side.
    public let direction: SocketEvent.Direction
    /// The wall-clock time.
    public let date: Date
    /// The time since the WebSocket was opened.
    public let elapsed: Duration
    /// The kind of the message: text or bytes.
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

    /// The number of bytes kept.
    package var keptCount: Int { content.count }

    /// Returns the message, or its beginning, without secrets. Hides sensitive members of JSON, and all values that the
    /// handshake or JSON sent by the client has shown to be secrets, wherever they occur. In any other text or bytes,
    /// secrets can't be recognized.
    ///
    /// Call it for the messages of a WebSocket in order: a secret that only an earlier message identifies is hidden in
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
