/// The links, addresses, routes and rules of this machine at one time, from a dump of the kernel's tables.
struct NetworkTable: Equatable {
    var links: [Int32: NetworkLink] = [:]
    var addresses: [NetworkAddress] = []
    var routes: [NetworkRoute] = []
    var rules: [RoutingRule] = []

    /// Adds the contents of a message. Skips messages that are malformed or of another type.
    mutating func add(_ message: NetlinkMessage) {
        switch message.type {
        case NetlinkMessage.Kind.link: if let link = NetworkLink(message) { links[link.index] = link }
        case NetlinkMessage.Kind.address: if let address = NetworkAddress(message) { addresses.append(address) }
        case NetlinkMessage.Kind.route: if let route = NetworkRoute(message), matters(route) { routes.append(route) }
        case NetlinkMessage.Kind.rule: if let rule = RoutingRule(message) { rules.append(rule) }
        default: break
        }
    }

    /// Returns true if a route is needed. A router may have a million routes: those more specific than half of all
    /// addresses matter only for tunnels. Links must have been added before.
    private func matters(_ route: NetworkRoute) -> Bool {
        route.prefixLength <= 1 || route.hops.contains { links[$0.link]?.isTunnel == true }
    }

    /// Returns the way to other machines for packets of a family, as far as it doesn't depend on their destination.
    /// Applies the kernel's rules in order; in each table, looks for the two halves of all addresses before the default
    /// route.
    func way(_ family: UInt8) -> NetworkWay? {
        let own = rules.filter { $0.family == family }.sorted { $0.priority < $1.priority }
        let rules = own.isEmpty ? RoutingRule.standard(family) : own
        var start: UInt32 = 0
        for rule in rules where rule.isGeneral && rule.priority >= start {
            switch rule.action {
            case .look(let table):
                switch look(family, table, suppressing: rule.suppressedLength) {
                case .way(let way): return way
                case .discarded: return nil
                case .nothing: continue
                }
            case .jump(let priority): start = priority
            case .discard: return nil
            case .nothing: continue
            }
        }
        return nil
    }

    private enum Found {
        case way(NetworkWay)
        case discarded
        case nothing
    }

    private func look(_ family: UInt8, _ table: UInt32, suppressing length: Int32?) -> Found {
        let routes = routes.filter { $0.family == family && $0.table == table && $0.prefixLength <= 1 }
        // OpenVPN keeps the default route and adds both halves, which are longer prefixes.
        if (length ?? -1) < 1, let lower = best(routes.filter { $0.prefixLength == 1 && !$0.isUpperHalf }),
            let upper = best(routes.filter { $0.prefixLength == 1 && $0.isUpperHalf }), lower.link == upper.link
        {
            return .way(lower)
        }
        guard (length ?? -1) < 0 else { return .nothing }
        let defaults = routes.filter { $0.prefixLength == 0 }
        if let way = best(defaults) { return .way(way) }
        return defaults.contains { $0.discards && $0.metric < .max } ? .discarded : .nothing
    }

    /// Returns the effective route: among those with a working link, the one with the lowest metric. Nil if a route
    /// that discards packets has a lower metric.
    private func best(_ routes: [NetworkRoute]) -> NetworkWay? {
        for route in routes.sorted(by: { $0.metric < $1.metric }) {
            if route.discards { return nil }
            guard route.isUnicast else { continue }
            for hop in route.hops {
                guard let link = links[hop.link], link.isUp, !link.isLoopback else { continue }
                let own = addresses.filter { $0.link == link.index && $0.family == route.family && $0.isUsable }
                guard !own.isEmpty || route.source != nil else { continue }
                return NetworkWay(link: link, gateway: hop.gateway, addresses: own)
            }
        }
        return nil
    }

    /// Returns true if packets to some destination take the link, according to a table that a rule reaches.
    func carries(_ link: NetworkLink) -> Bool {
        let tables = Set(
            (rules.isEmpty ? RoutingRule.standard(NetworkRoute.ipv4) + RoutingRule.standard(NetworkRoute.ipv6) : rules)
                .compactMap { if case .look(let table) = $0.action { table } else { nil } })
        return routes.contains { route in
            // The table `local` (255) contains the machine's own addresses.
            route.isUnicast && route.table != 255 && tables.contains(route.table) && !route.isOfLinkAlone
                && route.hops.contains { $0.link == link.index }
        }
    }
}

/// The way by which packets leave for other machines.
struct NetworkWay: Equatable {
    let link: NetworkLink
    let gateway: [UInt8]
    /// The addresses of the link in the family of the packets.
    let addresses: [NetworkAddress]
}

extension NetworkRoute {
    /// True for 128.0.0.0/1 and 8000::/1.
    fileprivate var isUpperHalf: Bool { destination.first.map { $0 & 0x80 != 0 } ?? false }
}
