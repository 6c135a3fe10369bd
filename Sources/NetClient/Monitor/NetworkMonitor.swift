public import NetCore
internal import Synchronization

/// Monitors the status of this machine's network: whether other machines are reachable, by which kind of interface, and
/// how much of the traffic a virtual private network carries.
///
///     let monitor = NetworkMonitor()
///     for await status in monitor.statuses {
///         print(status.reachability, status.interface ?? "-", status.vpn)
///     }
///
/// The monitor starts when a status is first requested, so that the first status is real. The status is a hint: a
/// server may be down although the network is reachable, and the status never overrides the error of a connection. Pass
/// the monitor wherever a ``NetworkStatusProvider`` is accepted.
///
/// On Linux, the monitor reads the kernel's routing tables (rtnetlink(7)) when the kernel reports a change; a burst of
/// changes counts as one. A machine is reachable if a table that the routing rules reach has a default route, or its
/// two halves, over a link that is up and has an address. Interfaces of the kinds tun, tap, wireguard, ppp, ipsec,
/// xfrm, vti and gre are virtual private networks: full if that route leads into them, split if any other route does.
/// The cost of the network isn't known on Linux. The monitor watches the network namespace of the thread that starts
/// it.
///
/// On Apple platforms, the status is the path of NWPathMonitor.
public final class NetworkMonitor: NetworkStatusProvider {
    /// The settings of a monitor.
    public struct Configuration: Sendable {
        /// The time without further changes after which the tables are read. A continuous series of changes delays
        /// reading by at most three times as long. Default 20 milliseconds. Linux only.
        public var settling: Duration
        /// The folder in which the kernel describes devices. Default `/sys`. Linux only.
        public var sysfs: String
        /// The clock for the dates of checks. Default: the system's.
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

    /// Creates a monitor, which isn't started yet.
    public init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

    deinit { stop() }

    /// The current status; starts the monitor if it isn't running. Unknown if the network can't be watched.
    public var status: NetworkStatus {
        get async {
            try? start()
            return feed.status
        }
    }

    /// The current status, then each change, for any number of consumers; starts the monitor if it isn't running. A
    /// slow consumer gets only the newest status. The sequence ends when the monitor is released, not when it is
    /// stopped.
    public var statuses: AsyncStream<NetworkStatus> {
        try? start()
        return feed.statuses
    }

    /// Reads the status and starts watching. Does nothing if the monitor is running.
    ///
    /// Throws ``NetworkMonitorError`` if the system doesn't allow watching, as in some sandboxes.
    public func start() throws(NetworkMonitorError) {
        try watch.withLock { watch throws(NetworkMonitorError) in
            guard watch == nil else { return }
            watch = try NetworkWatch(configuration, feed: feed)
        }
    }

    /// Stops watching. The status stays as it was; ``start()`` resumes watching.
    public func stop() {
        let stopped = watch.withLock { watch in
            defer { watch = nil }
            return watch
        }
        stopped?.stop()
    }
}
