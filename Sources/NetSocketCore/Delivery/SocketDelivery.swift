/// The limits of a session that delivers at least once: every message is numbered, kept until the peer has acknowledged it,
/// and sent again on the next connection. The receiver drops what it has seen, so each message arrives once and in order as
/// long as both ends live.
///
/// It needs a wire protocol with ``SocketWire/Features/delivery``, and a server that speaks it:
///
///     let delivery = SocketDelivery(maximumCount: 200)
///     print(delivery.maximumBytes)
public struct SocketDelivery: Sendable, Hashable {
    /// How many messages may be sent and not acknowledged. Default 1,000. Beyond it, messages wait in the queue.
    public var maximumCount: Int
    /// How many bytes their payloads and names may have together. Default 1 MiB. A larger message goes alone.
    public var maximumBytes: Int
    /// After how many messages the receiver acknowledges at the latest. Default 32.
    public var acknowledgmentCount: Int
    /// The longest time from a message to its acknowledgment. Default 200 ms.
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
