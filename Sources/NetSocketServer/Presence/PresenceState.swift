#if Server
package import NetSocketCore

/// The members of a channel as its clients see them, as in Phoenix: each key has one or more metas, one for each
/// connection. Pure.
///
/// A member beyond the limits isn't shown: ``enter(_:)`` returns no change for it, and it stays hidden until it enters
/// again.
package struct PresenceState: Sendable {
    private struct Place: Hashable, Sendable {
        let node: String
        let connection: String
    }

    /// The maximum number of connections that are shown. Default 10,000.
    package let maximumMembers: Int
    /// The maximum size of the JSON of all of them together, in bytes. Default 4 MiB.
    package let maximumBytes: Int
    /// The metas of each key, in the order in which they entered.
    private var metas: [String: [PresenceMeta]] = [:]
    private var keys: [Place: String] = [:]
    private var bytes = 0

    package init(maximumMembers: Int = 10_000, maximumBytes: Int = 4 << 20) {
        self.maximumMembers = maximumMembers
        self.maximumBytes = maximumBytes
    }

    /// The number of connections that are shown.
    package var count: Int { keys.count }
    /// The keys that are present, in order.
    package var present: [String] { metas.keys.sorted() }

    /// Returns true if a key is present.
    package func contains(_ key: String) -> Bool { metas[key] != nil }

    // MARK: Changes

    /// Shows a connection. A connection that is already shown is replaced if its details or its key changed.
    package mutating func enter(_ member: PresenceMember) -> PresenceDiff {
        let place = Place(node: member.node, connection: member.connection)
        if let key = keys[place], key == member.key,
            metas[key]?.first(where: { $0.isOf(place.node, place.connection) })?.details == member.details
        {
            return PresenceDiff()
        }
        let new = PresenceMeta(member)
        let size = Self.size(member.key, new)
        if let key = keys[place] {
            guard let index = metas[key]?.firstIndex(where: { $0.isOf(place.node, place.connection) }),
                let old = metas[key]?[index]
            else { return PresenceDiff() }
            if key == member.key, bytes + size - Self.size(key, old) <= maximumBytes {
                bytes += size - Self.size(key, old)
                metas[key]?[index] = new
                return PresenceDiff(
                    joins: [.init(key: key, meta: new, previous: old.reference)],
                    leaves: [.init(key: key, meta: old)])
            }
        }
        var diff = leave(member)
        guard keys.count < maximumMembers, bytes + size <= maximumBytes else { return diff }
        keys[place] = member.key
        bytes += size
        metas[member.key, default: []].append(new)
        diff.joins.append(.init(key: member.key, meta: new))
        if metas[member.key]?.count == 1 { diff.arrived.append(member.key) }
        return diff
    }

    /// Hides a connection. Only the server and the connection are compared; a connection that isn't shown changes
    /// nothing.
    package mutating func leave(_ member: PresenceMember) -> PresenceDiff {
        leave(Place(node: member.node, connection: member.connection))
    }

    /// Hides all connections of a server that is gone.
    package mutating func leaveAll(of node: String) -> PresenceDiff {
        leave(keys.keys.filter { $0.node == node })
    }

    /// Replaces the members with those that an engine reports (``FanOutEngine/members(of:)``), and returns the change.
    /// In an empty state, all listed members count as arrived. If a connection is listed twice, its last entry counts.
    package mutating func synchronize(with members: [PresenceMember]) -> PresenceDiff {
        let listed = Set(members.map { Place(node: $0.node, connection: $0.connection) })
        var diff = leave(keys.keys.filter { !listed.contains($0) })
        for member in members { diff.add(enter(member)) }
        return diff
    }

    private mutating func leave(_ places: [Place]) -> PresenceDiff {
        var diff = PresenceDiff()
        for place in places.sorted(by: { ($0.node, $0.connection) < ($1.node, $1.connection) }) {
            diff.add(leave(place))
        }
        return diff
    }

    private mutating func leave(_ place: Place) -> PresenceDiff {
        guard let key = keys.removeValue(forKey: place),
            let index = metas[key]?.firstIndex(where: { $0.isOf(place.node, place.connection) }),
            let meta = metas[key]?.remove(at: index)
        else { return PresenceDiff() }
        bytes -= Self.size(key, meta)
        var diff = PresenceDiff(leaves: [.init(key: key, meta: meta)])
        if metas[key]?.isEmpty == true {
            metas[key] = nil
            diff.gone = [key]
        }
        return diff
    }

    // MARK: Payloads

    /// The payload of `presence_state`: `{key:{"metas":[{"phx_ref":…, details}]}}`, ordered by key.
    package var payload: SocketPayload {
        SocketPayload(json: Self.object(metas.map { key, metas in (key, metas.map { $0.json() }) }))
    }

    /// Returns an object with the metas of each key, ordered by key.
    static func grouped(_ metas: [(key: String, json: String)]) -> String {
        var groups: [String: [String]] = [:]
        for (key, json) in metas { groups[key, default: []].append(json) }
        return object(groups.map { ($0.key, $0.value) })
    }

    private static func object(_ groups: [(key: String, metas: [String])]) -> String {
        var text = "{"
        for (key, group) in groups.sorted(by: { $0.key < $1.key }) {
            if text.utf8.count > 1 { text += "," }
            text += "\(quoted(key)):{\"metas\":[\(group.joined(separator: ","))]}"
        }
        return text + "}"
    }

    /// Returns a JSON string literal.
    static func quoted(_ text: String) -> String {
        // An encoder takes far longer, and hardly any text needs it.
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        return isPlain ? "\"\(text)\"" : (try? SocketPayload(text))?.json ?? "\"\""
    }

    private static func size(_ key: String, _ meta: PresenceMeta) -> Int { key.utf8.count + meta.size }
}

extension PresenceMeta {
    fileprivate func isOf(_ node: String, _ connection: String) -> Bool {
        self.connection == connection && self.node == node
    }
}
#endif
