import NetCore
import Testing

@testable import NetClient

/// The parsing of kernel messages.
struct NetlinkMessageTests {
    private func message(_ name: String) throws -> NetlinkMessage {
        let messages = NetlinkMessage.read(MadeMessages.bytes(name))
        try #require(messages.count == 1)
        return messages[0]
    }

    @Test(arguments: [
        ("link.wireguard.65534", NetworkStatus.Interface.vpn), ("link.ppp.512", .vpn), ("link.xfrm.65534", .vpn),
        ("link.gre.778", .vpn), ("link.vti.768", .vpn), ("link.tun.65534", .vpn), ("link.tun.1", .vpn),
        ("link.None.512", .vpn), ("link.dummy.1", .wired), ("link.bridge.1", .wired), ("link.bond.1", .wired),
        ("link.None.1", .wired),
    ])
    func theKindOfALinkSaysWhatItIs(name: String, interface: NetworkStatus.Interface) throws {
        let link = try #require(NetworkLink(try message(name)))
        #expect(link.interface(nil) == interface)
        #expect(link.isUp)
        #expect(!link.isLoopback)
        #expect(link.index >= 2)
        #expect(link.name.hasPrefix(link.kind ?? "plain"))
        #expect(link.isTunnel || link.interface(.wifi) == .wifi)
    }

    @Test func addressesSayWhetherTheyLeadOut() throws {
        let addresses = try ["address.4", "address.6.temporary", "address.6.link"].map { name in
            try #require(NetworkAddress(try message(name)))
        }
        try #require(addresses.map(\.isUsable) == [true, true, false])
        #expect(addresses.map(\.isStable) == [true, false, true])
        #expect(addresses[0].bytes == [10, 1, 0, 2])
        #expect(addresses[1].bytes.count == 16)
        #expect(addresses[0].link == 2)
    }

    @Test func routesHaveTheirTableAndEachHop() throws {
        let routes = try ["route.default", "route.wg", "route.half", "route.multipath", "route.unreachable.6"].map {
            name in
            try #require(NetworkRoute(try message(name)))
        }
        try #require(routes.map(\.table) == [254, 51820, 254, 254, 254])
        #expect(routes.map(\.metric) == [100, 0, 0, 0, .max])
        #expect(routes[0].hops == [.init(link: 2, gateway: [10, 1, 0, 1])])
        #expect(routes[2].prefixLength == 1)
        #expect(routes[2].destination == [128, 0, 0, 0])
        // The first of the two is known to be down.
        #expect(routes[3].hops == [.init(link: 6, gateway: [10, 6, 0, 1])])
        #expect(routes[4].discards)
        #expect(routes[4].family == NetworkRoute.ipv6)
    }

    @Test func rulesSayWhetherTheyConcernWhatThisMachineSends() throws {
        let rules = try ["rule.wg", "rule.suppress", "rule.main", "rule.from"].map { name in
            try #require(RoutingRule(try message(name)))
        }
        try #require(rules.map(\.isGeneral) == [true, true, true, false])
        #expect(rules.map(\.action) == [51820, 254, 254, 99].map { .look(table: $0) })
        try #require(rules.map(\.suppressedLength) == [nil, 0, nil, nil])
        #expect(rules[2].priority == 32_766)
    }

    @Test func truncatedMessagesAreIgnoredAndCorruptionDoesNotTrap() {
        for (name, _) in MadeMessages.all.sorted(by: { $0.key < $1.key }) {
            let whole = MadeMessages.bytes(name)
            for length in 0..<whole.count {
                #expect(NetlinkMessage.read(Array(whole.prefix(length))).isEmpty)
                // The length is adjusted to the remaining bytes, so that the cut is within the attributes.
                guard length >= 16 else { continue }
                var cut = Array(whole.prefix(length))
                cut[0] = UInt8(length)
                var table = NetworkTable()
                for message in NetlinkMessage.read(cut) { table.add(message) }
                _ = table.status { _ in nil }
            }
            for index in whole.indices {
                for value: UInt8 in [0, 1, 0x7f, 0xff] {
                    var changed = whole
                    changed[index] = value
                    var table = NetworkTable()
                    for message in NetlinkMessage.read(changed + whole) { table.add(message) }
                    _ = table.status { _ in nil }
                }
            }
        }
    }

    @Test func tablesOfMadeMessagesMeanWhatTheySay() {
        func status(_ names: String...) -> NetworkStatus {
            var table = NetworkTable()
            for message in NetlinkMessage.read(names.flatMap(MadeMessages.bytes)) { table.add(message) }
            return table.status { _ in nil }
        }
        let reachable = status("link.wireguard.65534", "address.4", "route.default")
        #expect(reachable.reachability == .reachable)
        #expect(reachable.vpn == .full)
        #expect(reachable.interface == "wireguard2")
        #expect(status("link.wireguard.65534", "address.4", "route.wg").vpn == .none, "no rule reaches the table")
        let quick = status("link.wireguard.65534", "address.4", "route.wg", "rule.wg", "rule.suppress", "rule.main")
        #expect(quick.vpn == .full)
        #expect(quick.path == "wireguard2#2 10.1.0.2")
        #expect(status("link.wireguard.65534", "address.4", "route.half").vpn == .split)
        #expect(status("link.wireguard.65534", "route.default").reachability == .unreachable, "it has no address")
        #expect(status().reachability == .unreachable)
        #expect(status().interfaces == [])
    }
}
