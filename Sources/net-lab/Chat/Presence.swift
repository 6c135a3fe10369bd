#if Tools && Server
internal import NetSocketCore

/// The users in a room, from `presence_state` and `presence_diff`: the payloads of Phoenix.Presence.
struct Presence: Sendable, Equatable {
    struct Entry: Codable, Sendable, Equatable {
        var metas: [Meta]
        var references: Set<String> { Set(metas.map(\.reference)) }
    }

    struct Meta: Codable, Sendable, Equatable {
        var reference: String

        enum CodingKeys: String, CodingKey { case reference = "phx_ref" }
    }

    /// All present users.
    struct State: SocketPush {
        static let event = "presence_state"
        var people: [String: Entry]

        init(_ people: [String: Entry]) { self.people = people }
        init(from decoder: any Decoder) throws { people = try [String: Entry](from: decoder) }
        func encode(to encoder: any Encoder) throws { try people.encode(to: encoder) }
    }

    /// The users who joined and those who left.
    struct Difference: SocketPush {
        static let event = "presence_diff"
        var joins: [String: Entry]
        var leaves: [String: Entry]
    }

    /// The references of each user's connections.
    private var people: [String: Set<String>] = [:]

    /// The names, sorted.
    var names: [String] { people.keys.sorted() }

    mutating func replace(with state: State) {
        people = state.people.mapValues(\.references)
    }

    mutating func apply(_ difference: Difference) {
        for (name, entry) in difference.joins {
            people[name, default: []].formUnion(entry.references)
        }
        for (name, entry) in difference.leaves {
            people[name]?.subtract(entry.references)
            if people[name]?.isEmpty == true { people[name] = nil }
        }
    }
}
#endif
