#if os(Linux)
import Foundation
import NetCore
import Testing

@testable import NetClient

/// The monitor in separate networks.
@Suite(.timeLimit(.minutes(1)), .enabled(if: NetworkNamespace.isSupported, "network namespaces aren't allowed here"))
struct NetworkMonitorTests {
    /// A link with an address and a default route, whose other end is up as well.
    private static let wired = """
        link add eth0 type veth peer name peer0
        link set eth0 up
        link set peer0 up
        addr add 10.1.0.2/24 dev eth0
        route add default via 10.1.0.1
        """

    @Test func aNetworkWithoutAWayIsUnreachableAtOnce() async throws {
        let namespace = try NetworkNamespace()
        let monitor = try namespace.monitor()
        var statuses = monitor.statuses.makeAsyncIterator()
        let first = await statuses.next()
        #expect(first?.reachability == .unreachable)
        #expect(first?.interfaces == [])
        #expect(first?.vpn == NetworkStatus.VPN.none)
        #expect(first?.path == nil)
        #expect(first?.checkedAt != nil)
        try namespace.script(Self.wired)
        let second = await statuses.next { $0.reachability == .reachable }
        #expect(second?.interfaces == [.wired])
        #expect(second?.interface == "eth0")
        #expect(second?.path?.contains("10.1.0.2 via 10.1.0.1") == true, "\(second?.path ?? "")")
        #expect(second?.isExpensive == nil)
        #expect(second?.isConstrained == nil)
        monitor.stop()
    }

    @Test(arguments: [
        ("link set eth0 down", "link set eth0 up\nroute add default via 10.1.0.1"),
        ("link set peer0 down", "link set peer0 up"),
        ("addr del 10.1.0.2/24 dev eth0", "addr add 10.1.0.2/24 dev eth0\nroute add default via 10.1.0.1"),
        ("route del default", "route add default via 10.1.0.1"),
        ("link del eth0", Self.wired),
        (
            "route del default\nroute add unreachable default",
            "route del unreachable default\nroute add default via 10.1.0.1"
        ),
    ])
    func eachLossIsSeenAndEachReturn(loss: String, gain: String) async throws {
        let namespace = try NetworkNamespace()
        try namespace.script(Self.wired)
        let monitor = try namespace.monitor()
        var statuses = monitor.statuses.makeAsyncIterator()
        #expect(await statuses.next()?.reachability == .reachable)
        try namespace.script(loss)
        #expect(await statuses.next()?.reachability == .unreachable)
        try namespace.script(gain)
        #expect(await statuses.next { $0.reachability == .reachable }?.interface == "eth0")
        monitor.stop()
    }

    /// Each change is reported once: the next status is always that of the next change.
    @Test func eachChangeIsToldOnceAndSoon() async throws {
        let namespace = try NetworkNamespace()
        try namespace.script(Self.wired)
        let monitor = try namespace.monitor()
        var statuses = monitor.statuses.makeAsyncIterator()
        #expect(await statuses.next()?.reachability == .reachable)
        var latencies: [Duration] = []
        for round in 0..<20 {
            let isLoss = round % 2 == 0
            let start = ContinuousClock.now
            try namespace.ip("route", isLoss ? "del" : "add", "default", "via", "10.1.0.1")
            let status = await statuses.next()
            latencies.append(ContinuousClock.now - start)
            #expect(status?.reachability == (isLoss ? .unreachable : .reachable))
        }
        monitor.stop()
        latencies.sort()
        print("a change of the network was told after \(latencies[10]), at most \(latencies[19]), with ip's own time")
        // The expected latency is 20 ms of quiet and the start of a program; this is a bound for loaded machines.
        #expect(latencies[10] < .seconds(2))
    }

    @Test func aVPNIsToldByWhatItCarries() async throws {
        let namespace = try NetworkNamespace()
        try namespace.script(Self.wired)
        try namespace.script("tuntap add tun0 mode tun\nlink set tun0 up")
        // A tun is up with a carrier only while a program holds it: the file keeps it open.
        let holder = try namespace.perform { try Tunnel(name: "tun1") }
        try namespace.script("link set tun1 up")
        #expect(try namespace.status().vpn == .none, "it carries nothing")
        try namespace.script("addr add 10.8.0.2/24 dev tun1")
        let split = try namespace.status()
        #expect(split.vpn == .split)
        #expect(split.interfaces == [.wired])
        #expect(split.interface == "eth0")
        try namespace.script("route add 0.0.0.0/1 via 10.8.0.1")
        #expect(try namespace.status().vpn == .split, "one half isn't all")
        try namespace.script("route add 128.0.0.0/1 via 10.8.0.1")
        let halves = try namespace.status()
        #expect(halves.vpn == .full)
        #expect(halves.interfaces == [.vpn, .wired])
        #expect(halves.interface == "tun1")
        try namespace.script("route del 0.0.0.0/1\nroute del 128.0.0.0/1\nroute add default via 10.8.0.1 metric 1")
        #expect(try namespace.status().vpn == .split, "the default route with the lower metric is the wired one's")
        try namespace.script("route del default via 10.1.0.1\nroute add default via 10.1.0.1 metric 5")
        #expect(try namespace.status().vpn == .full)
        withExtendedLifetime(holder) {}
    }

    @Test func aVPNMayHaveATableOfItsOwn() async throws {
        let namespace = try NetworkNamespace()
        try namespace.script(Self.wired)
        let holder = try namespace.perform { try Tunnel(name: "wg0") }
        // The commands of wg-quick.
        try namespace.script(
            """
            link set wg0 up
            addr add 10.9.0.2/32 dev wg0
            route add default dev wg0 table 51820
            """)
        #expect(try namespace.status().vpn == .none, "no rule reaches the table")
        try namespace.script("rule add not fwmark 51820 table 51820\nrule add table main suppress_prefixlength 0")
        let full = try namespace.status()
        #expect(full.vpn == .full)
        #expect(full.interface == "wg0")
        #expect(full.interfaces == [.vpn, .wired])
        try namespace.script("rule del not fwmark 51820 table 51820\nrule add fwmark 7 table 51820")
        #expect(try namespace.status().interface == "eth0", "packets without a mark don't take it")
        withExtendedLifetime(holder) {}
    }

    @Test func linksOfEveryKindThatAContainerHasAreWired() async throws {
        for kind in ["bridge", "vxlan id 7 dstport 4789 dev eth0", "veth"] {
            let namespace = try NetworkNamespace()
            try namespace.script(Self.wired)
            let parts = kind.split(separator: " ", maxSplits: 1)
            try namespace.script(
                """
                link add name test0 type \(kind)
                link set test0 up
                addr add 10.2.0.2/24 dev test0
                route del default
                """)
            if kind == "veth" { try namespace.ip("link", "set", "veth0", "up") }
            if parts[0] == "bridge" {
                // A bridge has a carrier if one of its ports has one.
                try namespace.script(
                    "link add port0 type veth peer name port1\nlink set port0 master test0 up\nlink set port1 up")
            }
            try namespace.script("route add default via 10.2.0.1 dev test0")
            var statuses = try namespace.monitor().statuses.makeAsyncIterator()
            let status = await statuses.next { $0.interface == "test0" }
            #expect(status?.interfaces == [.wired], "\(kind)")
        }
    }

    @Test func wirelessAndCellularAreToldBySysfs() async throws {
        let namespace = try NetworkNamespace()
        try namespace.script(Self.wired)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let device = folder.appendingPathComponent("class/net/eth0")
        try FileManager.default.createDirectory(at: device, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (type, kind) in [("wlan", NetworkStatus.Interface.wifi), ("wwan", .cellular), ("bridge", .wired)] {
            try Data("DEVTYPE=\(type)\nINTERFACE=eth0\n".utf8).write(to: device.appendingPathComponent("uevent"))
            let monitor = try namespace.monitor(sysfs: folder.path)
            #expect(await monitor.status.interfaces == [kind])
        }
    }

    @Test func aBurstIsOneChangeAndEveryReaderSeesIt() async throws {
        let namespace = try NetworkNamespace()
        try namespace.script(Self.wired)
        let monitor = try namespace.monitor()
        var readers = [monitor.statuses.makeAsyncIterator(), monitor.statuses.makeAsyncIterator()]
        for index in readers.indices { #expect(await readers[index].next()?.interface == "eth0") }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let lines = (0..<200).map { "addr add 10.1.\($0 + 1).9/32 dev eth0" }
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try namespace.ip("-batch", file.path)
        for index in readers.indices {
            let all = await readers[index].next { $0.path?.contains("10.1.200.9") == true }
            #expect(all != nil)
        }
        monitor.stop()
    }

    @Test func itStopsAndGoesOn() async throws {
        let namespace = try NetworkNamespace()
        let monitor = try namespace.monitor()
        var statuses = monitor.statuses.makeAsyncIterator()
        #expect(await statuses.next()?.reachability == .unreachable)
        monitor.stop()
        monitor.stop()
        try namespace.script(Self.wired)
        try namespace.perform { try monitor.start() }
        #expect(await statuses.next()?.reachability == .reachable)
        let later = monitor
        #expect(await later.status.interface == "eth0")
    }

    @Test func noneOfAThousandRandomChangesIsMissed() async throws {
        let namespace = try NetworkNamespace()
        try namespace.script(Self.wired)
        try namespace.script("link add eth1 type veth peer name peer1\nlink set eth1 up\nlink set peer1 up")
        let monitor = try namespace.monitor()
        var random = SeededGenerator(7)
        let choices = [
            "link set eth0 up", "link set eth0 down", "link set eth1 up", "link set eth1 down",
            "addr add 10.1.0.2/24 dev eth0", "addr del 10.1.0.2/24 dev eth0", "addr add 10.2.0.2/24 dev eth1",
            "addr del 10.2.0.2/24 dev eth1", "route add default via 10.1.0.1", "route del default via 10.1.0.1",
            "route add default via 10.2.0.1 metric 9", "route del default via 10.2.0.1 metric 9",
            "rule add table 77", "rule del table 77", "route add unreachable default table 77",
            "route del unreachable default table 77",
        ]
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        for _ in 0..<20 {
            let lines = (0..<50).map { _ in choices.randomElement(using: &random) ?? "" }
            try Data(lines.joined(separator: "\n").utf8).write(to: file)
            // Some commands fail, because of earlier ones.
            _ = try? namespace.ip("-force", "-batch", file.path)
            var statuses = monitor.statuses.makeAsyncIterator()
            // The kernel may still be changing the state of a link.
            let seen = await statuses.next { status in (try? namespace.status()).map { status.isLike($0) } ?? false }
            #expect(seen != nil)
        }
        monitor.stop()
    }
}

extension AsyncStream.Iterator where Element == NetworkStatus {
    /// Returns the next status that satisfies a condition.
    mutating func next(
        isolation: isolated (any Actor)? = #isolation, _ condition: (NetworkStatus) -> Bool
    ) async -> NetworkStatus? {
        while let status = await next(isolation: isolation) { if condition(status) { return status } }
        return nil
    }
}

extension NetworkStatus {
    /// Returns true if the statuses are equal except for the time of the check.
    func isLike(_ other: NetworkStatus) -> Bool {
        var copy = self
        copy.checkedAt = other.checkedAt
        return copy == other
    }
}
#endif
