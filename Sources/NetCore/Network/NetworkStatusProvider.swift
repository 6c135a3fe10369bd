/// A source of the network's status, such as a monitor of the operating system.
///
/// `NetworkMonitor` of NetHTTP and NetSocket observes the system; ``NetworkStatusFeed`` is set by a program or a test.
public protocol NetworkStatusProvider: Sendable {
    /// The current status.
    var status: NetworkStatus { get async }
    /// The current status, then each change. A slow consumer receives only the newest. Ends when the provider is
    /// released or the consumer's task is cancelled.
    var statuses: AsyncStream<NetworkStatus> { get }
}
