/// A source of the network's status, such as a monitor of the operating system.
///
/// `NetworkMonitor` of NetHTTP and NetSocket is the live one, ``NetworkStatusFeed`` one that a program or a test drives.
public protocol NetworkStatusProvider: Sendable {
    /// The status now.
    var status: NetworkStatus { get async }
    /// The status now, then each change. A consumer that is slow sees the newest alone. Ends with the provider, or with its
    /// task.
    var statuses: AsyncStream<NetworkStatus> { get }
}
