#if os(Linux)
internal import NetCore
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A thread that reads the routing tables whenever the kernel reports a change.
///
/// A message only signals that something has changed: the kernel doesn't send one for a route that disappears with its
/// link, and drops messages when its queue is full. Reading all tables takes about a millisecond.
final class NetworkWatch: Sendable {
    private let thread: SystemThread
    /// The end of a pipe that stops the thread when it is closed.
    private let stopper: Mutex<CInt?>

    /// Opens the sockets on the calling thread, whose network namespace they belong to, and reads the status once.
    init(_ configuration: NetworkMonitor.Configuration, feed: NetworkStatusFeed) throws(NetworkMonitorError) {
        let changes: NetlinkSocket
        let reader: NetworkTableReader
        do throws(NetlinkSocket.Failure) {
            changes = try NetlinkSocket(groups: NetlinkSocket.changes)
            reader = NetworkTableReader(configuration, tables: try NetlinkSocket(), feed: feed)
            try reader.read()
        } catch {
            throw NetworkMonitorError(error)
        }
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { throw NetworkMonitorError(.init(doing: "create a pipe", number: errno)) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (stop, wake) = (ends[0], ends[1])
        do throws(SystemThread.StartFailure) {
            thread = try SystemThread {
                Self.watch(changes, reader, settling: configuration.settling, until: stop)
                close(stop)
            }
        } catch {
            for end in ends { close(end) }
            throw NetworkMonitorError(.init(doing: "start a thread", number: error.number))
        }
        stopper = Mutex(wake)
    }

    func stop() {
        let wake = stopper.withLock { wake in
            defer { wake = nil }
            return wake
        }
        guard let wake else { return }
        close(wake)
        thread.join()
    }

    private static func watch(
        _ changes: NetlinkSocket, _ reader: NetworkTableReader, settling: Duration, until stop: CInt
    ) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while wait(for: changes, -1, until: stop) {
            _ = changes.drain(&buffer)
            // A burst counts as one change, but a burst that never ends isn't awaited.
            let begin = ContinuousClock.now
            let pause = CInt(clamping: settling.inNanoseconds / 1_000_000)
            while ContinuousClock.now - begin < settling * 2, wait(for: changes, pause, until: stop) {
                guard changes.drain(&buffer) else { break }
            }
            guard !isStopped(stop) else { return }
            // Later changes are read the next time. If reading fails, it is repeated every second, so that no change is
            // lost.
            while (try? reader.read()) == nil { guard pauseQuietly(1000, until: stop) else { return } }
            // If reading takes long, pause nine times as long.
            let rest = min(reader.cost * 9, .seconds(1)).inNanoseconds / 1_000_000
            if rest > 20, !pauseQuietly(CInt(clamping: rest), until: stop) { return }
        }
    }

    /// Returns true if there are changes; false if the time is over, or the thread must end.
    private static func wait(for changes: NetlinkSocket, _ milliseconds: CInt, until stop: CInt) -> Bool {
        var descriptors = [
            pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
            pollfd(fd: changes.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&descriptors, 2, milliseconds) < 0 { guard errno == EINTR else { return false } }
        return descriptors[0].revents == 0 && descriptors[1].revents != 0
    }

    private static func isStopped(_ stop: CInt) -> Bool { !pauseQuietly(0, until: stop) }

    /// Returns false if the thread must end.
    private static func pauseQuietly(_ milliseconds: CInt, until stop: CInt) -> Bool {
        var descriptor = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
        while poll(&descriptor, 1, milliseconds) < 0 { guard errno == EINTR else { return false } }
        return descriptor.revents == 0
    }
}

/// Reads the tables and passes the resulting status to the feed. `@unchecked Sendable`: it's used by one thread, and
/// before that by the thread that starts it.
final class NetworkTableReader: @unchecked Sendable {
    private let configuration: NetworkMonitor.Configuration
    private let tables: NetlinkSocket
    private let feed: NetworkStatusFeed
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    /// The duration of the last read.
    private(set) var cost: Duration = .zero

    init(_ configuration: NetworkMonitor.Configuration, tables: NetlinkSocket, feed: NetworkStatusFeed) {
        self.configuration = configuration
        self.tables = tables
        self.feed = feed
    }

    func read() throws(NetlinkSocket.Failure) {
        let begin = ContinuousClock.now
        let table = try tables.table(&buffer)
        var status = table.status { NetworkDevice(link: $0.name, sysfs: configuration.sysfs) }
        status.checkedAt = configuration.clock.date()
        cost = ContinuousClock.now - begin
        feed.update(status)
    }
}

extension NetworkMonitorError {
    init(_ failure: NetlinkSocket.Failure) {
        let text = strerror(failure.number).map { String(cString: $0) } ?? "system error \(failure.number)"
        let isOutOfRoom = [EMFILE, ENFILE, ENOMEM, EAGAIN].contains(failure.number)
        let advice =
            isOutOfRoom
            ? "Close files or raise the process's limits"
            : "Allow AF_NETLINK in the sandbox, or use a NetworkStatusFeed"
        self.init(message: "could not \(failure.doing): \(text). \(advice)", systemError: failure.number)
    }
}
#elseif canImport(Network)
internal import Dispatch
internal import NetCore
internal import Network

/// The system's own monitor.
final class NetworkWatch: Sendable {
    private let monitor: NWPathMonitor

    init(_ configuration: NetworkMonitor.Configuration, feed: NetworkStatusFeed) throws(NetworkMonitorError) {
        monitor = NWPathMonitor()
        let clock = configuration.clock
        feed.update(Self.status(monitor.currentPath, clock))
        monitor.pathUpdateHandler = { feed.update(Self.status($0, clock)) }
        monitor.start(queue: DispatchQueue(label: "NetworkMonitor"))
    }

    func stop() { monitor.cancel() }

    private static func status(_ path: NWPath, _ clock: NetClock) -> NetworkStatus {
        let kinds: [(NWInterface.InterfaceType, NetworkStatus.Interface)] = [
            (.wifi, .wifi), (.cellular, .cellular), (.wiredEthernet, .wired),
        ]
        var interfaces = Set(kinds.filter { path.usesInterfaceType($0.0) }.map(\.1))
        // Systems keep utun interfaces for their own services: only the first interface of the path can be a VPN of the
        // user.
        let first = path.availableInterfaces.first
        let isVPN =
            first?.type == .other
            && ["utun", "tun", "tap", "ppp", "ipsec"].contains { first?.name.hasPrefix($0) == true }
        if isVPN { interfaces.insert(.vpn) } else if path.usesInterfaceType(.other) { interfaces.insert(.other) }
        let gateways = path.gateways.map { "\($0)" }.joined(separator: " ")
        return NetworkStatus(
            path.status == .satisfied ? .reachable : .unreachable, interfaces: interfaces,
            path: first.map { "\($0.name)#\($0.index) \(gateways)" }, isExpensive: path.isExpensive,
            isConstrained: path.isConstrained, checkedAt: clock.date(), interface: first?.name,
            vpn: isVPN ? .full : .none)
    }
}
#endif
