/// A route of the kernel's tables (`RTM_NEWROUTE`).
struct NetworkRoute: Equatable {
    static let ipv4: UInt8 = 2
    static let ipv6: UInt8 = 10

    /// Where a route leads to.
    struct Hop: Equatable {
        let link: Int32
        let gateway: [UInt8]
    }

    let family: UInt8
    let destination: [UInt8]
    let prefixLength: UInt8
    let table: UInt32
    /// `RTN_UNICAST` is 1; what discards packets is 6 and above.
    let type: UInt8
    /// The route with the lowest one counts.
    let metric: UInt32
    /// The address that packets are sent from.
    let source: [UInt8]?
    /// Several where packets are spread.
    let hops: [Hop]

    /// Reads a message; nil if it isn't whole.
    init?(_ message: NetlinkMessage) {
        let payload = message.payload
        guard message.type == NetlinkMessage.Kind.route, let family = payload.first,
            let prefixLength: UInt8 = payload.integer(at: 1), let table: UInt8 = payload.integer(at: 4),
            let type: UInt8 = payload.integer(at: 7), let flags: UInt32 = payload.integer(at: 8)
        else { return nil }
        // RTM_F_CLONED: an exception for one destination, no route that somebody made.
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

    /// The links that packets may take: those of `RTA_MULTIPATH`, or that of `RTA_OIF`. One that is known to be dead is none
    /// (`RTNH_F_DEAD`, `RTNH_F_LINKDOWN`).
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

    /// RTA_GATEWAY, or RTA_VIA of another family.
    private static func gateway(_ attributes: [UInt16: ArraySlice<UInt8>]) -> [UInt8] {
        (attributes[5] ?? attributes[18]).map { Array($0) } ?? []
    }

    var isUnicast: Bool { type == 1 }
    /// `RTN_BLACKHOLE`, `RTN_UNREACHABLE`, `RTN_PROHIBIT`.
    var discards: Bool { (6...8).contains(type) }

    /// True for fe80::/10 and ff00::/8, which each link has by itself.
    var isOfLinkAlone: Bool {
        family == Self.ipv6 && (destination.first == 0xff || destination.prefix(2) == [0xfe, 0x80])
    }
}
