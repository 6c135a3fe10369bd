public import NetCore
internal import Synchronization

/// The live status of this machine's network: whether there is a way to other machines, by which kind of interface, and what a
/// virtual private network carries.
///
///     let monitor = NetworkMonitor()
///     for await status in monitor.statuses {
///         print(status.reachability, status.interface ?? "-", status.vpn)
///     }
///
/// It starts when somebody asks for a status, so that the first one is real. It's a hint: a server may be down although there
/// is a way to it, and it never overrides the error of a connection. Pass it to what takes a ``NetworkStatusProvider``.
///
/// On Linux, it reads the kernel's routing tables (rtnetlink(7)) when the kernel tells of a change; a burst of changes is one.
/// A machine is reachable if there is a default route, or its two halves, in a table that the routing rules reach, over a link
/// that is up and has an address. Interfaces of the kinds tun, tap, wireguard, ppp, ipsec, xfrm, vti and gre are virtual private
/// networks: full if that route leads into them, split if any other does. What the network costs isn't known there. The thread
/// that starts it decides which network namespace it watches.
///
/// On Apple platforms it is NWPathMonitor's path.
public final class NetworkMonitor: NetworkStatusProvider {
    /// Settings of a monitor.
    public struct Configuration: Sendable {
        /// The time without further changes after which the tables are read. Reading is delayed by three times as much at most.
        /// Default 20 milliseconds. Linux only.
        public var settling: Duration
        /// Where the kernel's devices are described. Default `/sys`. Linux only.
        public var sysfs: String
        /// The clock that dates the checks. Default the system's.
        public var clock: NetClock

        /// Creates settings.
        public init(settling: Duration = .milliseconds(20), sysfs: String = "/sys", clock: NetClock = .system) {
            self.settling = settling
            self.sysfs = sysfs
            self.clock = clock
        }
    }

    private let feed = NetworkStatusFeed()
    private let configuration: Configuration
    private let watch = Mutex<NetworkWatch?>(nil)

    /// Creates a monitor, which doesn't run yet.
    public init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

    deinit { stop() }

    /// The status now; starts the monitor if it doesn't run. Unknown where the network can't be watched.
    public var status: NetworkStatus {
        get async {
            try? start()
            return feed.status
        }
    }

    /// The status now, then each change, for any number of consumers; starts the monitor if it doesn't run. A consumer that is
    /// slow sees the newest alone. Ends with the monitor, not when it is stopped.
    public var statuses: AsyncStream<NetworkStatus> {
        try? start()
        return feed.statuses
    }

    /// Starts to watch, and reads the status first. Does nothing if it runs.
    ///
    /// Throws ``NetworkMonitorError`` if the system doesn't allow it, as some sandboxes do.
    public func start() throws(NetworkMonitorError) {
        try watch.withLock { watch throws(NetworkMonitorError) in
            guard watch == nil else { return }
            watch = try NetworkWatch(configuration, feed: feed)
        }
    }

    /// Stops watching. The status stays as it was; ``start()`` goes on.
    public func stop() {
        let stopped = watch.withLock { watch in
            defer { watch = nil }
            return watch
        }
        stopped?.stop()
    }
}
