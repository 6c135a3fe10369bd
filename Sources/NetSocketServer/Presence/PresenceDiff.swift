#if Server
package import NetSocketCore

/// A change to the members of a channel.
package struct PresenceDiff: Sendable, Hashable {
    /// A connection that has become visible.
    struct Join: Sendable, Hashable {
        let key: String
        let meta: PresenceMeta
        /// The reference of the same connection before its details changed; nil for a new one.
        var previous: String?
    }

    /// A connection that isn't visible any more.
    struct Leave: Sendable, Hashable {
        let key: String
        let meta: PresenceMeta
    }

    var joins: [Join] = []
    var leaves: [Leave] = []
    /// The keys that are present now and weren't before, in order. A second connection of a key doesn't add it.
    package internal(set) var arrived: [String] = []
    /// The keys that were present and aren't any more, in order.
    package internal(set) var gone: [String] = []

    /// True if nothing has changed.
    package var isEmpty: Bool { joins.isEmpty && leaves.isEmpty }

    /// The payload of `presence_diff`: `{"joins":{key:{"metas":[…]}},"leaves":{…}}`, each ordered by key. `phoenix.js`
    /// applies the joins first, then removes the metas of the leaves by their `phx_ref`.
    package var payload: SocketPayload {
        let joins = PresenceState.grouped(joins.map { ($0.key, $0.meta.json(replacing: $0.previous)) })
        let leaves = PresenceState.grouped(leaves.map { ($0.key, $0.meta.json()) })
        return SocketPayload(json: "{\"joins\":\(joins),\"leaves\":\(leaves)}")
    }

    /// Appends a later change. All joins and leaves are kept; a key that left and returned counts as present
    /// throughout.
    mutating func add(_ later: PresenceDiff) {
        joins += later.joins
        leaves += later.leaves
        for key in later.arrived { Self.note(key, in: &arrived, orIn: &gone) }
        for key in later.gone { Self.note(key, in: &gone, orIn: &arrived) }
    }

    private static func note(_ key: String, in keys: inout [String], orIn opposite: inout [String]) {
        if let index = opposite.firstIndex(of: key) { opposite.remove(at: index) } else { keys.append(key) }
    }
}
#endif
