/// A network interface, as reported by the kernel (`RTM_NEWLINK`).
struct NetworkLink: Equatable {
    let index: Int32
    let name: String
    /// The flags, such as `IFF_UP` (netdevice(7)).
    let flags: UInt32
    /// The type of the hardware, such as `ARPHRD_ETHER`.
    let hardware: UInt16
    /// The kind of a virtual link, such as `wireguard`; nil for hardware.
    let kind: String?

    /// Reads a message; nil if it is malformed.
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

    /// True if the link is up and has a carrier (`IFF_UP`, `IFF_RUNNING`).
    var isUp: Bool { flags & 0x41 == 0x41 }
    var isLoopback: Bool { flags & 0x8 != 0 }

    /// The kinds of links that carry a virtual private network.
    private static let tunnels: Set<String> = [
        "tun", "tap", "wireguard", "ppp", "ipsec", "xfrm", "vti", "vti6", "gre", "gretap", "ip6gre", "ip6gretap",
    ]

    /// True if the link may carry a virtual private network. The kernel doesn't report a kind for tun devices of older
    /// drivers (`ARPHRD_NONE`) or for a modem's ppp (`ARPHRD_PPP`).
    var isTunnel: Bool {
        if let kind { return Self.tunnels.contains(kind) }
        return hardware == 0xfffe && name.hasPrefix("tun") || hardware == 512
    }

    /// Returns the kind of network that the link belongs to.
    func interface(_ device: NetworkDevice?) -> NetworkStatus.Interface {
        if isTunnel { return .vpn }
        switch device {
        case .wifi: return .wifi
        case .cellular: return .cellular
        case nil: break
        }
        // ARPHRD_RAWIP: modems without a link-layer header.
        if hardware == 519 || kind == "wwan" || kind == "rmnet" { return .cellular }
        // ARPHRD_ETHER, ARPHRD_INFINIBAND. Also used by bridges, bonds, VLANs and a container's end of a veth pair.
        return hardware == 1 || hardware == 32 ? .wired : .other
    }
}
