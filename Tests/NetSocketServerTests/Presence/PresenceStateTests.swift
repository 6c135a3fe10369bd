#if Server
import NetCore
import NetTesting
import Testing

@testable import NetSocketServer

@Suite struct PresenceStateTests {
    private func member(
        _ key: String, _ connection: String, _ details: String? = nil, on node: String = "a"
    ) -> PresenceMember {
        PresenceMember(
            key: key, connection: connection, node: node, details: details.map { SocketPayload(json: $0) })
    }

    // MARK: People

    @Test func `The first connection of a key arrives, and the last one's end is its going`() {
        var state = PresenceState()
        var diff = state.enter(member("ada", "1"))
        #expect(diff.arrived == ["ada"])
        #expect(diff.joins.map(\.key) == ["ada"])
        diff = state.enter(member("ada", "2"))
        #expect(diff.arrived == [])
        #expect(diff.joins.map(\.key) == ["ada"])
        #expect(state.present == ["ada"])
        #expect(state.count == 2)
        diff = state.leave(member("ada", "1"))
        #expect(diff.gone == [])
        #expect(diff.leaves.map(\.key) == ["ada"])
        diff = state.leave(member("", "2"))
        #expect(diff.gone == ["ada"])
        #expect(state.present == [])
        #expect(!state.contains("ada"))
    }

    @Test func `Repeated enters and unknown leaves change nothing`() {
        var state = PresenceState()
        _ = state.enter(member("ada", "1", #"{"on":1}"#))
        #expect(state.enter(member("ada", "1", #"{"on":1}"#)).isEmpty)
        #expect(state.leave(member("ada", "2")).isEmpty)
        #expect(state.leave(member("ada", "1", on: "b")).isEmpty)
        #expect(state.leaveAll(of: "b").isEmpty)
        #expect(state.count == 1)
    }

    @Test func `Other details replace the meta, and neither arrive nor go`() {
        var state = PresenceState()
        let first = state.enter(member("ada", "1", #"{"on":1}"#)).joins[0].meta.reference
        let diff = state.enter(member("ada", "1", #"{"on":2}"#))
        #expect(diff.arrived.isEmpty)
        #expect(diff.gone.isEmpty)
        #expect(diff.leaves.map(\.meta.reference) == [first])
        #expect(diff.joins[0].meta.reference != first)
        #expect(diff.joins[0].previous == first)
        #expect(state.count == 1)
    }

    @Test func `Another key moves the connection`() {
        var state = PresenceState()
        _ = state.enter(member("guest", "1"))
        let diff = state.enter(member("ada", "1"))
        #expect(diff.arrived == ["ada"])
        #expect(diff.gone == ["guest"])
        #expect(state.present == ["ada"])
    }

    @Test func `A server that is gone takes its connections with it`() {
        var state = PresenceState()
        _ = state.enter(member("ada", "1"))
        _ = state.enter(member("ada", "1", on: "b"))
        _ = state.enter(member("bob", "2", on: "b"))
        let diff = state.leaveAll(of: "b")
        #expect(diff.gone == ["bob"])
        #expect(diff.leaves.map(\.key) == ["ada", "bob"])
        #expect(state.present == ["ada"])
    }

    // MARK: Engines

    @Test func `The first state is what an engine says`() {
        var state = PresenceState()
        let diff = state.synchronize(with: [member("bob", "2", on: "b"), member("ada", "1"), member("ada", "3")])
        #expect(diff.arrived == ["bob", "ada"])
        #expect(diff.leaves.isEmpty)
        #expect(state.present == ["ada", "bob"])
        #expect(state.count == 3)
    }

    @Test func `Synchronizing returns only what has changed`() {
        var state = PresenceState()
        _ = state.synchronize(with: [member("ada", "1"), member("bob", "2"), member("cyd", "3")])
        let diff = state.synchronize(with: [member("ada", "1"), member("bob", "4"), member("dan", "5")])
        #expect(diff.joins.map(\.key) == ["bob", "dan"])
        #expect(diff.leaves.map(\.key) == ["bob", "cyd"])
        #expect(diff.arrived == ["dan"])
        #expect(diff.gone == ["cyd"])
        #expect(state.synchronize(with: [member("ada", "1"), member("bob", "4"), member("dan", "5")]).isEmpty)
    }

    @Test func `All servers make the same references, without names of servers and connections`() {
        var (one, two) = (PresenceState(), PresenceState())
        _ = one.enter(member("ada", "secret-1", #"{"on":1}"#, on: "node-1"))
        _ = one.enter(member("bob", "secret-2", on: "node-2"))
        _ = two.synchronize(with: [
            member("bob", "secret-2", on: "node-2"), member("ada", "secret-1", #"{"on":1}"#, on: "node-1"),
        ])
        #expect(one.payload == two.payload)
        #expect(one.payload.json?.contains("secret") == false)
        #expect(one.payload.json?.contains("node-") == false)
        var three = PresenceState()
        let references = [("n", "oc"), ("no", "c"), ("noc", "")].map { node, connection in
            three.enter(member("ada", connection, on: node)).joins[0].meta.reference
        }
        #expect(Set(references).count == 3)
    }

    // MARK: Bounds

    @Test func `Members beyond the bounds aren't shown`() {
        var state = PresenceState(maximumMembers: 2)
        _ = state.enter(member("ada", "1"))
        _ = state.enter(member("bob", "2"))
        #expect(state.enter(member("cyd", "3")).isEmpty)
        #expect(state.leave(member("cyd", "3")).isEmpty)
        #expect(state.present == ["ada", "bob"])
        #expect(state.enter(member("eve", "2")).arrived == ["eve"])
        _ = state.leave(member("ada", "1"))
        #expect(state.enter(member("cyd", "3")).arrived == ["cyd"])
    }

    @Test func `Details beyond the bounds aren't shown`() {
        var state = PresenceState(maximumBytes: 200)
        let large = "\"\(String(repeating: "x", count: 200))\""
        #expect(state.enter(member("ada", "1", large)).isEmpty)
        #expect(state.enter(member("ada", "1", "1")).arrived == ["ada"])
        let diff = state.enter(member("ada", "1", large))
        #expect(diff.gone == ["ada"])
        #expect(state.count == 0)
        for number in 0..<100 {
            _ = state.enter(member("ada", "1", "\(number)"))
            _ = state.leave(member("ada", "1"))
        }
        #expect(state.enter(member("ada", "1", "1")).arrived == ["ada"])
    }

    @Test func `Defaults`() {
        #expect(PresenceState().maximumMembers == 10_000)
        #expect(PresenceState().maximumBytes == 4_194_304)
    }

    // MARK: Clients

    /// The state of a client that applies diffs like `phoenix.js`: the references of each key.
    private struct Client: Equatable {
        private struct Presence: Decodable { var metas: [Meta] }
        private struct Meta: Decodable {
            enum CodingKeys: String, CodingKey { case reference = "phx_ref" }
            var reference: String
        }
        private struct Diff: Decodable { var joins: [String: Presence], leaves: [String: Presence] }

        var references: [String: Set<String>] = [:]

        init(_ state: SocketPayload) throws {
            references = try state.decoded(as: [String: Presence].self).mapValues { Set($0.metas.map(\.reference)) }
        }

        mutating func apply(_ payload: SocketPayload) throws {
            let diff = try payload.decoded(as: Diff.self)
            for (key, presence) in diff.joins {
                references[key, default: []].formUnion(presence.metas.map(\.reference))
            }
            for (key, presence) in diff.leaves {
                references[key]?.subtract(presence.metas.map(\.reference))
                if references[key]?.isEmpty == true { references[key] = nil }
            }
        }
    }

    @Test(arguments: 1...20) func `A client that applies every diff has the state`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed).netRandom
        var state = PresenceState(maximumMembers: 12)
        var client = try Client(state.payload)
        var people: Set<String> = []
        for _ in 0..<300 {
            let one = member(
                "user \(Int.random(in: 0..<5, using: &random))", "\(Int.random(in: 0..<8, using: &random))",
                "\(Int.random(in: 0..<3, using: &random))", on: Bool.random(using: &random) ? "a" : "b")
            let diff =
                switch Int.random(in: 0..<20, using: &random) {
                case 0: state.leaveAll(of: one.node)
                case 1: state.synchronize(with: [one, member("ada", "77"), member("ada", "78")])
                case 2..<9: state.leave(one)
                default: state.enter(one)
                }
            try client.apply(diff.payload)
            people.formUnion(diff.arrived)
            people.subtract(diff.gone)
            let expected = try Client(state.payload)
            #expect(client == expected)
            #expect(people.sorted() == state.present)
        }
    }
}
#endif
