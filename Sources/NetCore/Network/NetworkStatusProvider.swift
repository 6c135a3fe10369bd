/// A source of the network's status, such as a monitor of the operating system.
///
/// ``NetworkStatusFeed`` is one that a program drives; on Apple platforms, `NWPathMonitor` can drive it.
public protocol NetworkStatusProvider: Sendable {
    /// The status now.
    var status: NetworkStatus { get async }
    /// The status now, then each change. A consumer that is slow sees the newest alone. Ends with the provider, or with its
    /// task.
    var statuses: AsyncStream<NetworkStatus> { get }
}
