/// A route in the kernel's tables (`RTM_NEWROUTE`).
struct NetworkRoute: Equatable {
    static let ipv4: UInt8 = 2
    static let ipv6: UInt8 = 10

    /// The next hop of a route.
    struct Hop: Equatable {
        let link: Int32
        let gateway: [UInt8]
    }

    let family: UInt8
    let destination: [UInt8]
    let prefixLength: UInt8
    let table: UInt32
    /// The type: `RTN_UNICAST` is 1; types that discard packets are 6 and above.
    let type: UInt8
    /// The metric; the route with the lowest metric is used.
    let metric: UInt32
    /// The source address of packets; nil if the route doesn't set it.
    let source: [UInt8]?
    /// The next hops; several if the route distributes packets.
    let hops: [Hop]

    /// Reads a message; nil if it is malformed or a cached exception.
    init?(_ message: NetlinkMessage) {
        let payload = message.payload
        guard message.type == NetlinkMessage.Kind.route, let family = payload.first,
            let prefixLength: UInt8 = payload.integer(at: 1), let table: UInt8 = payload.integer(at: 4),
            let type: UInt8 = payload.integer(at: 7), let flags: UInt32 = payload.integer(at: 8)
        else { return nil }
        // RTM_F_CLONED: a cached exception for one destination, not a configured route.
        guard flags & 0x200 == 0 else { return nil }
        let attributes = message.attributes(after: 12)
        self.family = family
        self.prefixLength = prefixLength
        self.type = type
        // RTA_DST, RTA_TABLE, RTA_PRIORITY, RTA_PREFSRC.
        destination = attributes[1].map { Array($0) } ?? []
        self.table = attributes[15]?.integer(at: 0) ?? UInt32(table)
        metric = attributes[6]?.integer(at: 0) ?? 0
        source = attributes[7].map { Array($0) }
        hops = Self.hops(attributes, flags: flags)
    }

    /// Returns the hops that packets may take: those of `RTA_MULTIPATH`, or the one of `RTA_OIF`. Omits hops that are
    /// known to be dead (`RTNH_F_DEAD`, `RTNH_F_LINKDOWN`).
    private static func hops(_ attributes: [UInt16: ArraySlice<UInt8>], flags: UInt32) -> [Hop] {
        guard var rest = attributes[9] else {
            guard flags & 0x11 == 0, let link: Int32 = attributes[4]?.integer(at: 0) else { return [] }
            return [Hop(link: link, gateway: gateway(attributes))]
        }
        var hops: [Hop] = []
        while let length: UInt16 = rest.integer(at: 0), let flags: UInt8 = rest.integer(at: 2),
            let link: Int32 = rest.integer(at: 4), length >= 8, length <= rest.count
        {
            let own = rest[(rest.startIndex + 8)..<(rest.startIndex + Int(length))]
            if flags & 0x11 == 0 {
                hops.append(Hop(link: link, gateway: gateway(NetlinkMessage.attributes(in: own))))
            }
            rest = rest[min(rest.startIndex + NetlinkMessage.aligned(Int(length)), rest.endIndex)...]
        }
        return hops
    }

    /// Returns RTA_GATEWAY, or RTA_VIA for a gateway of another family; empty if there isn't one.
    private static func gateway(_ attributes: [UInt16: ArraySlice<UInt8>]) -> [UInt8] {
        (attributes[5] ?? attributes[18]).map { Array($0) } ?? []
    }

    var isUnicast: Bool { type == 1 }
    /// True for `RTN_BLACKHOLE`, `RTN_UNREACHABLE` and `RTN_PROHIBIT`.
    var discards: Bool { (6...8).contains(type) }

    /// True for fe80::/10 and ff00::/8, which every link has.
    var isOfLinkAlone: Bool {
        family == Self.ipv6 && (destination.first == 0xff || destination.prefix(2) == [0xfe, 0x80])
    }
}
