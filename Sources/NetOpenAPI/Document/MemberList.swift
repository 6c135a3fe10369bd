/// The members of an object while it is parsed: unique keys in the order of their first occurrence, with lookup in
/// constant time.
struct MemberList {
    private(set) var members: [Node.Member] = []
    /// The index of each key; filled only when the object is so large that a linear search would cost more.
    private var places: [ExactKey: Int] = [:]

    private static let scanLimit = 12

    /// Adds a member, or replaces the one with the same name.
    ///
    /// - Returns: The replaced member; nil if the key is new.
    mutating func set(_ member: Node.Member) -> Node.Member? {
        if let place = place(of: member.key) {
            let replaced = members[place]
            members[place] = member
            return replaced
        }
        members.append(member)
        if members.count > Self.scanLimit { index() }
        return nil
    }

    func contains(_ key: String) -> Bool {
        place(of: key) != nil
    }

    private func place(of key: String) -> Int? {
        guard members.count > Self.scanLimit else {
            return members.firstIndex { ExactKey($0.key) == ExactKey(key) }
        }
        return places[ExactKey(key)]
    }

    private mutating func index() {
        if places.isEmpty {
            for (place, member) in members.enumerated() { places[ExactKey(member.key)] = place }
        } else {
            places[ExactKey(members[members.count - 1].key)] = members.count - 1
        }
    }
}

extension Diagnostic {
    /// Returns the warning for a duplicate key of an object.
    static func duplicateKey(_ member: Node.Member, replacing earlier: Node.Member) -> Diagnostic {
        Diagnostic(
            .warning,
            """
            the key '\(member.key)' is already at line \(earlier.keyPosition.line), column \
            \(earlier.keyPosition.column); the later one is used, remove one of them
            """,
            at: member.keyPosition)
    }
}
