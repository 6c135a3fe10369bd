/// The limits of a session with at-least-once delivery: every message is numbered, kept until the peer has
/// acknowledged it, and sent again on the next connection. The receiver drops duplicates, so each message arrives once
/// and in order as long as both ends keep their state.
///
/// Requires a wire protocol with ``SocketWire/Features/delivery``, and a server that supports it:
///
///     let delivery = SocketDelivery(maximumCount: 200)
///     print(delivery.maximumBytes)
public struct SocketDelivery: Sendable, Hashable {
    /// The maximum number of messages that are sent but not acknowledged. Default 1,000. Beyond it, messages wait in
    /// the queue.
    public var maximumCount: Int
    /// The maximum total size of their payloads and names, in bytes. Default 1 MiB. A larger message is sent when no
    /// other message is unacknowledged.
    public var maximumBytes: Int
    /// The number of messages after which the receiver acknowledges at the latest. Default 32.
    public var acknowledgmentCount: Int
    /// The maximum time from a message to its acknowledgment. Default 200 ms.
    public var acknowledgmentDelay: Duration

    /// Creates limits.
    public init(
        maximumCount: Int = 1000, maximumBytes: Int = 1 << 20, acknowledgmentCount: Int = 32,
        acknowledgmentDelay: Duration = .milliseconds(200)
    ) {
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
        self.acknowledgmentCount = acknowledgmentCount
        self.acknowledgmentDelay = acknowledgmentDelay
    }
}
