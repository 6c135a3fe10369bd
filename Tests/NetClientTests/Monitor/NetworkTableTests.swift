import NetCore
import Testing

@testable import NetClient

/// The interpretation of a machine's tables.
@Suite struct NetworkTableTests {
    private typealias Made = NetlinkSamples
    private let eth = Made.link(2, "eth0")
    private let own = Made.address(2, [10, 1, 0, 2])

    /// Returns the status, with devices by the names of their links.
    private func status(_ messages: [UInt8]...) -> NetworkStatus {
        var table = NetworkTable()
        for message in NetlinkMessage.read(Array(messages.joined())) { table.add(message) }
        return table.status { $0.name.hasPrefix("wl") ? .wifi : $0.name.hasPrefix("ww") ? .cellular : nil }
    }

    @Test(
        arguments: [
            (0x41, true, false), (0x43, true, false), (0x1, false, false), (0x40, false, false), (0x49, true, true),
            (0x8, false, true), (0x10, false, false), (0xffff, true, true),
        ] as [(UInt32, Bool, Bool)])
    func theFlagsOfALinkSayWhetherItWorks(flags: UInt32, isUp: Bool, isLoopback: Bool) {
        let link = NetworkLink(index: 1, name: "x", flags: flags, hardware: 1, kind: nil)
        #expect(link.isUp == isUp)
        #expect(link.isLoopback == isLoopback)
    }

    @Test(
        arguments: [
            ("eth0", 1, nil, .wired), ("ib0", 32, nil, .wired), ("x", 0, nil, .other), ("x", 2, nil, .other),
            ("x", 31, nil, .other), ("x", 33, nil, .other), ("x", 519, nil, .cellular), ("x", 518, nil, .other),
            ("x", 520, nil, .other), ("x", 1, "wwan", .cellular), ("x", 1, "rmnet", .cellular),
            ("tun0", 0xfffe, nil, .vpn),
            ("wg0", 0xfffe, nil, .other), ("tun0", 1, nil, .wired), ("x", 512, nil, .vpn), ("x", 513, nil, .other),
            ("x", 511, nil, .other), ("tun0", 0xfffe, "dummy", .other), ("x", 512, "dummy", .other),
            ("x", 1, "wireguard", .vpn), ("x", 1, "tap", .vpn), ("x", 1, "vti6", .vpn), ("x", 1, "ip6gretap", .vpn),
            ("x", 1, "bridge", .wired),
        ] as [(String, UInt16, String?, NetworkStatus.Interface)])
    func theHardwareAndTheKindSayWhatALinkIs(
        name: String, hardware: UInt16, kind: String?, expected: NetworkStatus.Interface
    ) {
        let link = NetworkLink(index: 1, name: name, flags: 0x41, hardware: hardware, kind: kind)
        #expect(link.interface(nil) == expected)
        #expect(link.isTunnel == (expected == .vpn))
        #expect(link.interface(.wifi) == (expected == .vpn ? .vpn : .wifi))
        #expect(link.interface(.cellular) == (expected == .vpn ? .vpn : .cellular))
    }

    @Test func onlyRoutesToHalfOfAllAddressesOrIntoATunnelAreKept() {
        let tunnel = Made.link(3, "tun0", kind: "tun")
        for (length, link, isKept): (UInt8, Int32, Bool) in [
            (0, 2, true), (1, 2, true), (2, 2, false), (24, 2, false), (2, 3, true), (24, 3, true), (24, 9, false),
        ] {
            let table = Made.table(eth, tunnel, Made.route([10, 0, 0, 0], length: length, link: link))
            #expect((table.routes.count == 1) == isKept, "\(length) \(link)")
        }
        let all = Made.table(eth, own, Made.route(link: 2), Made.rule(priority: 1), Made.message(99, [0]))
        #expect(all.links.keys.sorted() == [2])
        #expect(all.addresses.count == 1)
        #expect(all.routes.count == 1)
        #expect(all.rules.count == 1)
    }

    @Test func aWayNeedsALinkThatWorksAndAnAddress() {
        let route = Made.route(link: 2, gateway: [10, 1, 0, 1])
        #expect(status(eth, own, route).path == "eth0#2 10.1.0.2 via 10.1.0.1")
        #expect(status(eth, own, Made.route(link: 2)).path == "eth0#2 10.1.0.2", "it has no gateway")
        for down: UInt32 in [0x1, 0x40, 0x49] {
            #expect(status(Made.link(2, "eth0", flags: down), own, route).reachability == .unreachable, "\(down)")
        }
        let others = [
            Made.address(3, [10, 1, 0, 2]), Made.address(2, [1], family: 10),
            Made.address(2, [10, 1, 0, 2], scope: 253),
        ]
        for other in others { #expect(status(eth, other, route).reachability == .unreachable) }
        // A route that specifies the source address of packets needs no other address.
        #expect(status(eth, Made.route(link: 2, more: [(7, [10, 1, 0, 2])])).path == "eth0#2")
        #expect(status(eth, own, Made.route(type: 2, link: 2)).reachability == .unreachable)
    }

    @Test func theRouteWithTheLowestMetricCounts() {
        let both = Made.link(3, "wlan0") + Made.address(3, [10, 3, 0, 2])
        let wireless = Made.route(link: 3, metric: 600)
        #expect(status(eth, own, both, wireless, Made.route(link: 2, metric: 100)).interface == "eth0")
        let second = status(eth, own, both, wireless, Made.route(link: 2, metric: 601))
        #expect(second.interface == "wlan0")
        #expect(second.interfaces == [.wifi])
        #expect(status(eth, both, wireless, Made.route(link: 2, metric: 100)).interface == "wlan0", "no address")
        // An invalid hop is ignored, the route's other hops aren't.
        let hops: [[UInt8]] = [2, 3].map { Made.bytes(UInt16(8)) + [0, 0] + Made.bytes(Int32($0)) }
        #expect(status(eth, both, Made.route(more: [(9, Array(hops.joined()))])).interface == "wlan0")
    }

    @Test func aRouteThatDiscardsPacketsEndsTheSearch() {
        let last = Made.route(table: 253, link: 2)
        for (metric, isReachable): (UInt32, Bool) in [(5, false), (.max - 1, false), (.max, true)] {
            let found = status(eth, own, Made.route(type: 7, metric: metric), last)
            #expect((found.reachability == .reachable) == isReachable, "\(metric)")
        }
        let better = Made.route(link: 2, metric: 4)
        #expect(status(eth, own, Made.route(type: 7, metric: 5), better).reachability == .reachable)
        #expect(status(eth, own, Made.route(type: 7, metric: 3), better).reachability == .unreachable)
    }

    @Test func bothHalvesOfAllAddressesAreAWayToAll() {
        let lower = Made.route([0, 0, 0, 0], length: 1, link: 2, gateway: [10, 1, 0, 1])
        let upper = Made.route([128, 0, 0, 0], length: 1, link: 2, gateway: [10, 1, 0, 9])
        #expect(status(eth, own, lower, upper).path == "eth0#2 10.1.0.2 via 10.1.0.1")
        #expect(status(eth, own, lower).reachability == .unreachable)
        #expect(status(eth, own, upper).reachability == .unreachable)
        let other = Made.link(3, "eth1") + Made.address(3, [10, 3, 0, 2])
        let elsewhere = Made.route([128, 0, 0, 0], length: 1, link: 3)
        #expect(status(eth, own, other, lower, elsewhere).reachability == .unreachable, "they lead to two links")
        // Longer prefixes take precedence over the default route.
        #expect(status(eth, own, other, lower, upper, Made.route(link: 3)).interface == "eth0")
        // A lower half needs no destination.
        #expect(status(eth, own, Made.route(length: 1, link: 2), upper).interface == "eth0")
    }

    private func rule(_ priority: UInt32, _ table: UInt8, suppress: UInt32? = nil, family: UInt8 = 2) -> [UInt8] {
        Made.rule(
            priority: priority, table: table, family: family, more: suppress.map { [(UInt16(14), Made.long($0))] } ?? []
        )
    }

    @Test func rulesAreFollowedInTheirOrder() {
        let other = Made.link(3, "eth1") + Made.address(3, [10, 3, 0, 2])
        let base = eth + own + other + Made.route(table: 10, link: 2) + Made.route(table: 20, link: 3)
        #expect(status(base).reachability == .unreachable, "no rule reaches the tables")
        #expect(status(base, rule(2, 10), rule(1, 20)).interface == "eth1")
        #expect(status(base, rule(1, 10), rule(2, 20)).interface == "eth0")
        #expect(status(base, rule(1, 30), rule(2, 20)).interface == "eth1", "the first table is empty")
        #expect(status(base, rule(1, 10, family: 10)).reachability == .unreachable, "of the other family")
        let selective = Made.rule(priority: 1, table: 10, source: 8)
        #expect(status(base, selective, rule(2, 20)).interface == "eth1")
        let nothing = Made.rule(priority: 1, action: 3)
        #expect(status(base, nothing, rule(2, 20)).interface == "eth1")
        for action: UInt8 in [6, 7, 8] {
            let discarding = Made.rule(priority: 1, action: action)
            #expect(status(base, discarding, rule(2, 20)).reachability == .unreachable)
        }
        let jump = Made.rule(priority: 1, action: 2, more: [(4, Made.long(5))])
        #expect(status(base, jump, rule(4, 10), rule(5, 20)).interface == "eth1")
        #expect(status(base, jump, rule(4, 10)).reachability == .unreachable)
    }

    @Test func aRuleMaySuppressShortPrefixes() {
        let other = Made.link(3, "eth1") + Made.address(3, [10, 3, 0, 2])
        let halves = Made.route(length: 1, table: 10, link: 2) + Made.route([128], length: 1, table: 10, link: 2)
        let base = eth + own + other + Made.route(table: 20, link: 3)
        let whole = Made.route(table: 10, link: 2)
        for (suppressed, ofHalves, ofWhole): (UInt32?, String, String) in [
            (nil, "eth0", "eth0"), (0, "eth0", "eth1"), (1, "eth1", "eth1"), (2, "eth1", "eth1"),
        ] {
            let rules = rule(1, 10, suppress: suppressed) + rule(2, 20)
            #expect(status(base, halves, rules).interface == ofHalves, "\(suppressed ?? 99)")
            #expect(status(base, whole, rules).interface == ofWhole, "\(suppressed ?? 99)")
        }
    }

    @Test func aTunnelThatCarriesSomethingElseIsASplitOne() {
        let tunnel = Made.link(3, "tun0", kind: "tun")
        let base = eth + own + Made.route(link: 2)
        func vpn(_ tunnel: [UInt8], _ routes: [UInt8]...) -> NetworkStatus.VPN {
            status(base, tunnel, Array(routes.joined())).vpn
        }
        #expect(vpn(tunnel, Made.route([10, 8, 0, 0], length: 16, link: 3)) == .split)
        #expect(vpn(Made.link(3, "tun0", flags: 1, kind: "tun"), Made.route([10, 8], length: 16, link: 3)) == .none)
        #expect(vpn(tunnel, Made.route([10, 8, 0, 0], length: 16, table: 255, link: 3)) == .none)
        #expect(vpn(tunnel, Made.route([10, 8, 0, 0], length: 16, table: 99, link: 3)) == .none)
        #expect(vpn(tunnel, Made.route([10, 8, 0, 0], length: 16, type: 7, link: 3)) == .none)
        #expect(vpn(tunnel, Made.route([10, 8, 0, 0], length: 1, link: 2)) == .none, "it leads elsewhere")
        #expect(vpn(tunnel, Made.route([0xfe, 0x80], length: 64, family: 10, link: 3)) == .none)
        #expect(vpn(tunnel, Made.route([0xfd, 0x80], length: 64, family: 10, link: 3)) == .split)
        let ownTable = Made.route([10, 8, 0, 0], length: 16, table: 99, link: 3)
        #expect(vpn(tunnel, ownTable, rule(1, 254), rule(2, 99)) == .split)
        #expect(vpn(tunnel, ownTable, rule(1, 254), Made.rule(priority: 2, table: 99, action: 3)) == .none)
    }

    @Test func aFullTunnelHidesTheCheapestLinkBelowIt() {
        let tunnel = Made.link(3, "tun0", kind: "tun") + Made.address(3, [10, 8, 0, 2])
        let wireless = Made.link(4, "wlan0")
        let base = eth + tunnel + wireless + Made.route(link: 3, metric: 1)
        let below = Made.route(link: 2, metric: 7)
        let full = status(base, below, Made.route(link: 4, metric: 8))
        #expect(full.vpn == .full)
        #expect(full.interfaces == [.vpn, .wired])
        #expect(full.interface == "tun0")
        #expect(status(base, below, Made.route(link: 4, metric: 6)).interfaces == [.vpn, .wifi])
        #expect(status(base, Made.route(type: 7, link: 4, metric: 6), below).interfaces == [.vpn, .wired])
        #expect(status(base, Made.route(length: 1, link: 4, metric: 6), below).interfaces == [.vpn, .wired])
        for flags: UInt32 in [0x1, 0x49] {
            let other = Made.link(5, "x0", flags: flags, hardware: 519)
            #expect(status(base, other, Made.route(link: 5, metric: 6), below).interfaces == [.vpn, .wired])
        }
        #expect(status(base).interfaces == [.vpn], "nothing is below it")
    }

    @Test func bothFamiliesHaveTheirWay() {
        let wwan = Made.link(3, "wwan0") + Made.address(3, [0x20, 0x01, 0x0d, 0xb8, 0x0f], family: 10)
        let sixth = Made.route(family: 10, link: 3, gateway: [0xfe, 0x80, 1])
        let both = status(eth, own, wwan, Made.route(link: 2), sixth)
        #expect(both.interfaces == [.wired, .cellular])
        #expect(both.interface == "eth0")
        #expect(both.vpn == .none)
        #expect(both.path == "eth0#2 10.1.0.2, wwan0#3 20010db80f via fe8001")
        let tunnel = Made.link(3, "tun0", kind: "tun") + Made.address(3, [0xfd], family: 10)
        let mixed = status(eth, own, tunnel, Made.route(link: 2), Made.route(family: 10, link: 3))
        #expect(mixed.interface == "tun0")
        #expect(mixed.vpn == .full)
        let only = status(wwan, sixth)
        #expect(only.reachability == .reachable)
        #expect(only.interface == "wwan0")
        #expect(only.interfaces == [.cellular])
    }

    @Test func aPathHasTheAddressesThatStayInOrder() {
        let list = Made.address(2, [10, 1, 0, 9]) + own + Made.address(2, [10, 1, 0, 10], flags: 1)
        #expect(status(eth, list, Made.route(link: 2)).path == "eth0#2 10.1.0.10 10.1.0.2 10.1.0.9")
        let sixth = Made.address(2, [0x10], family: 10, flags: 1) + Made.address(2, [0x0f], family: 10)
        #expect(status(eth, sixth, Made.route(family: 10, link: 2)).path == "eth0#2 0f")
        #expect(status().path == nil)
        #expect(status().interface == nil)
        #expect(status().vpn == .none)
    }
}
