/// A source of the network's status, such as a monitor of the operating system.
///
/// `NetworkMonitor` of NetHTTP and NetSocket observes the system; ``NetworkStatusFeed`` is set by a program or a test.
public protocol NetworkStatusProvider: Sendable {
    /// The current status.
    var status: NetworkStatus { get async }
    /// The current status, then each change. A slow consumer receives only the newest. Ends with the provider or its
    /// task.
    var statuses: AsyncStream<NetworkStatus> { get }
}
