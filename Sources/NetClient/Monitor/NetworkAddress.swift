/// An address of a network interface (`RTM_NEWADDR`).
struct NetworkAddress: Equatable {
    let link: Int32
    let family: UInt8
    let bytes: [UInt8]
    /// The scope: `RT_SCOPE_UNIVERSE` is 0, `RT_SCOPE_LINK` is 253, `RT_SCOPE_HOST` is 254.
    let scope: UInt8
    /// The flags, such as `IFA_F_TEMPORARY`.
    let flags: UInt32

    /// Reads a message; nil if it is malformed.
    init?(_ message: NetlinkMessage) {
        guard message.type == NetlinkMessage.Kind.address, let family = message.payload.first,
            let flags: UInt8 = message.payload.integer(at: 2), let scope: UInt8 = message.payload.integer(at: 3),
            let link: Int32 = message.payload.integer(at: 4)
        else { return nil }
        let attributes = message.attributes(after: 8)
        // IFA_LOCAL is this end of a point-to-point link, for which IFA_ADDRESS is the other end.
        guard let bytes = attributes[2] ?? attributes[1] else { return nil }
        self.link = link
        self.family = family
        self.bytes = Array(bytes)
        self.scope = scope
        self.flags = attributes[8]?.integer(at: 0) ?? UInt32(flags)
    }

    /// True if other machines can be reached from the address: its scope is wider than the link, and it is neither
    /// tentative nor deprecated (`IFA_F_TENTATIVE`, `IFA_F_DADFAILED`, `IFA_F_DEPRECATED`).
    var isUsable: Bool { scope < 253 && flags & 0x68 == 0 }

    /// True unless the address is temporary (`IFA_F_TEMPORARY`). Temporary addresses are replaced daily while the
    /// network stays the same.
    var isStable: Bool { family == NetworkRoute.ipv4 || flags & 1 == 0 }
}
