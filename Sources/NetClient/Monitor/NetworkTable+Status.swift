extension NetworkTable {
    /// Returns the status that follows from the tables.
    ///
    /// - Parameter device: Returns the kind of device of a link; nil if it isn't known.
    func status(_ device: (NetworkLink) -> NetworkDevice?) -> NetworkStatus {
        let ways = [way(NetworkRoute.ipv4), way(NetworkRoute.ipv6)].compactMap(\.self)
        var status = NetworkStatus(ways.isEmpty ? .unreachable : .reachable)
        status.interfaces = Set(ways.map { $0.link.interface(device($0.link)) })
        status.vpn = vpn(ways)
        // A full VPN hides the interface below it, which determines the cost.
        if status.vpn == .full, let below = underlying { status.interfaces.insert(below.interface(device(below))) }
        status.interface = (ways.first { $0.link.isTunnel } ?? ways.first)?.link.name
        status.path = ways.isEmpty ? nil : ways.map(\.name).joined(separator: ", ")
        return status
    }

    private func vpn(_ ways: [NetworkWay]) -> NetworkStatus.VPN {
        if ways.contains(where: \.link.isTunnel) { return .full }
        return links.values.contains { $0.isTunnel && $0.isUp && carries($0) } ? .split : .none
    }

    /// The link below a tunnel: the one with a default route that isn't a tunnel.
    private var underlying: NetworkLink? {
        let routes = routes.filter { $0.prefixLength == 0 && $0.isUnicast }.sorted { $0.metric < $1.metric }
        return routes.lazy.flatMap(\.hops).compactMap { links[$0.link] }
            .first { $0.isUp && !$0.isLoopback && !$0.isTunnel }
    }
}

extension NetworkWay {
    /// A name that distinguishes two networks: link, stable addresses, gateway.
    fileprivate var name: String {
        let addresses = addresses.filter(\.isStable).map { Self.text($0.bytes) }.sorted()
        let parts = ["\(link.name)#\(link.index)"] + addresses + (gateway.isEmpty ? [] : ["via \(Self.text(gateway))"])
        return parts.joined(separator: " ")
    }

    private static func text(_ bytes: [UInt8]) -> String {
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
