#if Redis
import NetSocketCore

/// The members in a room, as a client learns them from `presence_state` and `presence_diff`.
struct PresenceMirror: Sendable {
    private struct Metas: Decodable {
        struct Meta: Decodable {
            var reference: String
            enum CodingKeys: String, CodingKey { case reference = "phx_ref" }
        }
        var metas: [Meta]
    }
    private struct Diff: Decodable {
        var joins: [String: Metas]
        var leaves: [String: Metas]
    }

    private var references: [String: Set<String>] = [:]

    var names: [String] { references.keys.sorted() }

    mutating func saw(_ push: WirePush) {
        if push.event == "presence_state", let state = try? push.payload?.decoded(as: [String: Metas].self) {
            references = state.mapValues { Set($0.metas.map(\.reference)) }
        } else if push.event == "presence_diff", let diff = try? push.payload?.decoded(as: Diff.self) {
            for (name, metas) in diff.joins { references[name, default: []].formUnion(metas.metas.map(\.reference)) }
            for (name, metas) in diff.leaves {
                references[name]?.subtract(metas.metas.map(\.reference))
                if references[name]?.isEmpty == true { references[name] = nil }
            }
        }
    }
}
#endif
