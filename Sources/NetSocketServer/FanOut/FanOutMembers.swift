#if Server
/// The members of a topic, one for each connection, in the order in which they entered.
struct FanOutMembers: Sendable {
    private struct Key: Hashable {
        let node: String
        let connection: String

        init(_ member: PresenceMember) {
            node = member.node
            connection = member.connection
        }
    }

    private var members: [Key: (order: UInt64, member: PresenceMember)] = [:]
    private var next: UInt64 = 0

    var isEmpty: Bool { members.isEmpty }
    var all: [PresenceMember] { members.values.sorted { $0.order < $1.order }.map(\.member) }

    func has(_ node: String) -> Bool { members.keys.contains { $0.node == node } }

    /// Adds a member. A member that enters again keeps its place.
    mutating func add(_ member: PresenceMember) {
        let key = Key(member)
        next += 1
        members[key] = (members[key]?.order ?? next, member)
    }

    /// Returns the removed member; nil if there was no such member.
    mutating func remove(_ member: PresenceMember) -> PresenceMember? {
        members.removeValue(forKey: Key(member))?.member
    }

    /// Returns the removed members, in order.
    mutating func removeAll(of node: String) -> [PresenceMember] {
        let gone = all.filter { $0.node == node }
        for member in gone { members[Key(member)] = nil }
        return gone
    }
}
#endif
