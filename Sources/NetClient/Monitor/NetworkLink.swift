/// A network interface, as the kernel tells of it (`RTM_NEWLINK`).
struct NetworkLink: Equatable {
    let index: Int32
    let name: String
    /// `IFF_UP` and the like, netdevice(7).
    let flags: UInt32
    /// The type of its hardware, `ARPHRD_ETHER` and the like.
    let hardware: UInt16
    /// The kind of a link that software makes, such as `wireguard`; nil for hardware.
    let kind: String?

    /// Reads a message; nil if it isn't whole.
    init?(_ message: NetlinkMessage) {
        guard message.type == NetlinkMessage.Kind.link, let hardware: UInt16 = message.payload.integer(at: 2),
            let index: Int32 = message.payload.integer(at: 4), let flags: UInt32 = message.payload.integer(at: 8)
        else { return nil }
        let attributes = message.attributes(after: 16)
        // IFLA_IFNAME, IFLA_LINKINFO, IFLA_INFO_KIND.
        guard let name = attributes[3]?.text, !name.isEmpty else { return nil }
        self.init(
            index: index, name: name, flags: flags, hardware: hardware,
            kind: attributes[18].flatMap { NetlinkMessage.attributes(in: $0)[1]?.text })
    }

    init(index: Int32, name: String, flags: UInt32, hardware: UInt16, kind: String?) {
        self.index = index
        self.name = name
        self.flags = flags
        self.hardware = hardware
        self.kind = kind
    }

    /// Up, and not without a carrier (`IFF_UP`, `IFF_RUNNING`).
    var isUp: Bool { flags & 0x41 == 0x41 }
    var isLoopback: Bool { flags & 0x8 != 0 }

    /// The kinds of links that carry a virtual private network.
    private static let tunnels: Set<String> = [
        "tun", "tap", "wireguard", "ppp", "ipsec", "xfrm", "vti", "vti6", "gre", "gretap", "ip6gre", "ip6gretap",
    ]

    /// True if it may carry a virtual private network. The kernel names no kind of a tun that is older than its driver's
    /// (`ARPHRD_NONE`), nor of a modem's ppp (`ARPHRD_PPP`).
    var isTunnel: Bool {
        if let kind { return Self.tunnels.contains(kind) }
        return hardware == 0xfffe && name.hasPrefix("tun") || hardware == 512
    }

    /// The kind of network that it belongs to, where a device of that sort is behind it.
    func interface(_ device: NetworkDevice?) -> NetworkStatus.Interface {
        if isTunnel { return .vpn }
        switch device {
        case .wifi: return .wifi
        case .cellular: return .cellular
        case nil: break
        }
        // ARPHRD_RAWIP: modems without a header of their own.
        if hardware == 519 || kind == "wwan" || kind == "rmnet" { return .cellular }
        // ARPHRD_ETHER, ARPHRD_INFINIBAND: bridges, bonds, VLANs and a container's end of a pair too.
        return hardware == 1 || hardware == 32 ? .wired : .other
    }
}
