internal import NetCore

/// The payload of a `presence_diff`.
struct PresenceChange: Sendable, Hashable {
    typealias Members = [String: Presence.Member]

    private let joins: Members
    private let leaves: Members

    /// Decodes a change. Each of its lists may be missing.
    init(_ push: WirePush) throws(NetError) {
        let lists = try Self.value(of: push)
        joins = try Self.members(lists["joins"] ?? .object([:]), push.event)
        leaves = try Self.members(lists["leaves"] ?? .object([:]), push.event)
    }

    /// Decodes the payload of a `presence_state`.
    static func members(in push: WirePush) throws(NetError) -> Members {
        try members(.object(value(of: push)), push.event)
    }

    /// Adds the new connections, then removes those that have left. A connection that is known already isn't added
    /// again.
    func apply(to members: inout Members) {
        for (key, new) in joins {
            guard var member = members[key] else {
                members[key] = new
                continue
            }
            let references = Set(new.metas.map(\.reference))
            member.metas = member.metas.filter { !references.contains($0.reference) } + new.metas
            if !new.values.isEmpty { member.values = new.values }
            members[key] = member
        }
        for (key, old) in leaves {
            let references = Set(old.metas.map(\.reference))
            members[key]?.metas.removeAll { references.contains($0.reference) }
            if members[key]?.metas.isEmpty == true { members[key] = nil }
        }
    }

    private static func value(of push: WirePush) throws(NetError) -> [String: JSONValue] {
        guard case .object(let object) = try push.payload?.decoded(as: JSONValue.self) else {
            throw problem("the payload isn't an object", push.event)
        }
        return object
    }

    private static func members(_ value: JSONValue, _ event: String) throws(NetError) -> Members {
        guard case .object(let entries) = value else { throw problem("a list isn't an object", event) }
        var members: Members = [:]
        for (key, entry) in entries {
            guard case .object(var values) = entry, case .array(let list)? = values.removeValue(forKey: "metas") else {
                throw problem("a member has no list \"metas\"", event)
            }
            var metas: [Presence.Meta] = []
            for value in list { metas.append(try meta(value, event)) }
            if !metas.isEmpty { members[key] = Presence.Member(key: key, metas: metas, values: values) }
        }
        return members
    }

    private static func meta(_ value: JSONValue, _ event: String) throws(NetError) -> Presence.Meta {
        guard case .object(var values) = value, case .string(let reference)? = values.removeValue(forKey: "phx_ref")
        else { throw problem("a connection has no text \"phx_ref\"", event) }
        values["phx_ref_prev"] = nil
        return Presence.Meta(reference: reference, values: values)
    }

    private static func problem(_ what: String, _ event: String) -> NetError {
        NetError(.decoding, phase: .decoding, message: "a push \(event) isn't a list of members: \(what)")
    }
}
