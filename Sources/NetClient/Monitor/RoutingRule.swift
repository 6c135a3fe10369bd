/// A rule that selects the table for packets (`RTM_NEWRULE`, ip-rule(8)).
struct RoutingRule: Equatable {
    /// The action for the packets that the rule selects.
    enum Action: Equatable {
        case look(table: UInt32)
        case jump(to: UInt32)
        case nothing
        case discard
    }

    let family: UInt8
    let priority: UInt32
    let action: Action
    /// The length up to which prefixes of the table are ignored; nil to ignore none.
    let suppressedLength: Int32?
    /// True if the rule selects this machine's packets to any destination: it doesn't require a mark, an address or a
    /// port.
    let isGeneral: Bool

    /// Reads a message; nil if it is malformed.
    init?(_ message: NetlinkMessage) {
        let payload = message.payload
        guard message.type == NetlinkMessage.Kind.rule, let family = payload.first,
            let destination: UInt8 = payload.integer(at: 1), let source: UInt8 = payload.integer(at: 2),
            let table: UInt8 = payload.integer(at: 4), let action: UInt8 = payload.integer(at: 7),
            let flags: UInt32 = payload.integer(at: 8)
        else { return nil }
        let attributes = message.attributes(after: 12)
        self.family = family
        // FRA_PRIORITY, FRA_TABLE, FRA_GOTO, FRA_SUPPRESS_PREFIXLEN.
        priority = attributes[6]?.integer(at: 0) ?? 0
        switch action {
        case 1: self.action = .look(table: attributes[15]?.integer(at: 0) ?? UInt32(table))
        case 2: self.action = .jump(to: attributes[4]?.integer(at: 0) ?? .max)
        case 6, 7, 8: self.action = .discard
        default: self.action = .nothing
        }
        suppressedLength = attributes[14]?.integer(at: 0, as: Int32.self).flatMap { $0 >= 0 ? $0 : nil }
        // FRA_FWMARK; all packets of this machine come from the link `lo`. FRA_OIFNAME, FRA_L3MDEV, FRA_UID_RANGE and
        // the attributes after it select by other criteria.
        let mark: UInt32 = attributes[10]?.integer(at: 0) ?? 0
        let others: [UInt16] = [12, 17, 19, 20, 22, 23, 24]
        let selects =
            destination == 0 && source == 0 && mark == 0 && (attributes[3].map { $0.text == "lo" } ?? true)
            && !others.contains { attributes[$0] != nil }
        // FIB_RULE_INVERT: all packets except the selected ones.
        isGeneral = flags & 2 == 0 ? selects : !selects
    }

    init(family: UInt8, priority: UInt32, action: Action, suppressedLength: Int32? = nil, isGeneral: Bool = true) {
        self.family = family
        self.priority = priority
        self.action = action
        self.suppressedLength = suppressedLength
        self.isGeneral = isGeneral
    }

    /// Returns the rules of a machine without configured rules: the tables local, main, default.
    static func standard(_ family: UInt8) -> [RoutingRule] {
        [(0, 255), (32_766, 254), (32_767, 253)].map {
            RoutingRule(family: family, priority: $0, action: .look(table: $1))
        }
    }
}
