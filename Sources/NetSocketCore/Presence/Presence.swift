public import NetCore

/// The members of a channel, kept from the server's pushes `presence_state` and `presence_diff`, in the form of
/// Phoenix.Presence, which `NetSocketServer` sends too.
///
/// After a new join, the server sends its whole list: the difference from the earlier one counts as joins and leaves. A
/// change that arrives twice counts once.
///
///     var presence = Presence()
///     let list = SocketPayload(json: #"{"ada":{"metas":[{"phx_ref":"1","device":"phone"}]}}"#)
///     try presence.apply(WirePush(event: "presence_state", payload: list))
///     print(presence.keys, presence.joined.count)  // ["ada"] 1
public struct Presence: Sendable, Hashable {
    /// One connection of a member.
    public struct Meta: Sendable, Hashable {
        /// The server's reference of the connection, `phx_ref`. A connection whose details change gets another one.
        public let reference: String
        /// The details of the connection, without its references.
        public let values: [String: JSONValue]

        /// Decodes ``values``. Throws `.decoding`.
        public func decoded<Value: Decodable>(
            as type: Value.Type = Value.self, coding: JSONCoding = .standard
        ) throws(NetError) -> Value {
            try SocketPayload(JSONValue.object(values), coding: coding).decoded(as: type, coding: coding)
        }
    }

    /// A member: all connections with one key, such as the name of a user.
    public struct Member: Sendable, Hashable {
        /// The key.
        public let key: String
        /// The connections, in the order in which they came; at least one.
        public internal(set) var metas: [Meta]
        /// The details of the member beside its connections, such as the user that a Phoenix server's `fetch`
        /// adds. Default empty.
        public internal(set) var values: [String: JSONValue] = [:]
    }

    /// The members who joined with the last change.
    public private(set) var joined: [Member] = []
    /// The members who left with the last change, as they were before it.
    public private(set) var left: [Member] = []
    /// The members who stayed with the last change, and whose connections, or what is said of them, changed.
    public private(set) var changed: [Member] = []
    /// True once the server has sent its whole list for the current join. While it is false, the list is that of the
    /// connection before, with the changes that have arrived since.
    public private(set) var isComplete = false

    private var known: [String: Member] = [:]
    /// The changes that have arrived since the join, in order, while the list hasn't.
    private var early: [PresenceChange] = []

    /// The most changes that are kept while the list hasn't arrived.
    private static let maximumEarly = 1000

    /// Creates an empty list.
    public init() {}

    /// The members, ordered by key.
    public var members: [Member] { known.values.sorted { $0.key < $1.key } }
    /// The keys of the members, in order.
    public var keys: [String] { known.keys.sorted() }
    /// The number of members.
    public var count: Int { known.count }
    /// True if there are no members.
    public var isEmpty: Bool { known.isEmpty }

    /// The member with a key; nil if it isn't present.
    public subscript(key: String) -> Member? { known[key] }

    // MARK: Changes

    /// Applies a push. Returns false, and changes nothing, for other events. Throws `.decoding` for a payload of
    /// another form; then the list stays as it was.
    @discardableResult
    public mutating func apply(_ push: WirePush) throws(NetError) -> Bool {
        switch push.event {
        case Self.stateEvent:
            let listed = try PresenceChange.members(in: push)
            change { known, early in
                known = listed
                for change in early { change.apply(to: &known) }
            }
            (isComplete, early) = (true, [])
        case Self.changeEvent:
            let change = try PresenceChange(push)
            self.change { known, _ in change.apply(to: &known) }
            guard !isComplete else { return true }
            if early.count == Self.maximumEarly { early.removeFirst() }
            early.append(change)
        default: return false
        }
        return true
    }

    /// Notes that the connection has ended, or that the channel is being joined again: the server will send its list.
    public mutating func interrupt() {
        (isComplete, early) = (false, [])
        (joined, left, changed) = ([], [], [])
    }

    /// Returns true if a push is meant for ``apply(_:)``.
    package static func concerns(_ push: WirePush) -> Bool {
        push.event == stateEvent || push.event == changeEvent
    }

    package static let stateEvent = "presence_state"
    package static let changeEvent = "presence_diff"

    private mutating func change(_ body: (inout [String: Member], [PresenceChange]) -> Void) {
        let before = known
        body(&known, early)
        joined = members.filter { before[$0.key] == nil }
        left = before.values.filter { known[$0.key] == nil }.sorted { $0.key < $1.key }
        changed = members.filter { before[$0.key].map { old in old != known[old.key] } ?? false }
    }
}

// MARK: Printing

/// The details may contain secrets, so they aren't printed.
extension Presence.Meta: CustomStringConvertible, CustomReflectable {
    /// The reference, and the number of the details.
    public var description: String { "\(reference) with \(values.count) values" }
    /// The reference, and the number of the details.
    public var customMirror: Mirror {
        Mirror(self, children: ["reference": reference, "values": values.count], displayStyle: .struct)
    }
}

extension Presence.Member: CustomStringConvertible, CustomReflectable {
    /// The key, and the number of connections.
    public var description: String { "\(key) with \(metas.count) connections" }
    /// The key and the connections, without the details.
    public var customMirror: Mirror {
        let parts: KeyValuePairs<String, Any> = ["key": key, "metas": metas, "values": values.count]
        return Mirror(self, children: parts, displayStyle: .struct)
    }
}

extension Presence: CustomStringConvertible, CustomReflectable {
    /// The keys of the members.
    public var description: String { keys.description }
    /// The members without their details, and whether the list is complete.
    public var customMirror: Mirror {
        let parts: KeyValuePairs<String, Any> = ["members": members, "isComplete": isComplete]
        return Mirror(self, children: parts, displayStyle: .struct)
    }
}
