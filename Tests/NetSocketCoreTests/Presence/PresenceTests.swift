import NetCore
import Testing

@testable import NetSocketCore

struct PresenceTests {
    private func state(_ json: String) -> WirePush {
        WirePush(event: "presence_state", payload: SocketPayload(json: json), topic: "room")
    }

    private func diff(joins: String = "{}", leaves: String = "{}") -> WirePush {
        let json = #"{"joins":\#(joins),"leaves":\#(leaves)}"#
        return WirePush(event: "presence_diff", payload: SocketPayload(json: json), topic: "room")
    }

    private func entry(_ key: String, _ references: String...) -> String {
        let metas = references.map { #"{"phx_ref":"\#($0)"}"# }.joined(separator: ",")
        return #"{"\#(key)":{"metas":[\#(metas)]}}"#
    }

    @Test func aStateReplacesTheListAndTheDifferenceCounts() throws {
        var presence = Presence()
        try presence.apply(state(#"{"ada":{"metas":[{"phx_ref":"1"}]},"bob":{"metas":[{"phx_ref":"2"}]}}"#))
        #expect(presence.joined.map(\.key) == ["ada", "bob"])
        try presence.apply(state(#"{"bob":{"metas":[{"phx_ref":"3"}]},"cleo":{"metas":[{"phx_ref":"4"}]}}"#))
        #expect(presence.keys == ["bob", "cleo"])
        #expect(presence.joined.map(\.key) == ["cleo"])
        #expect(presence.left.map(\.key) == ["ada"])
        #expect(presence.changed.map(\.key) == ["bob"])
    }

    @Test func aMemberIsPresentUntilItsLastConnectionIsGone() throws {
        var presence = Presence()
        try presence.apply(state(entry("ada", "1")))
        try presence.apply(diff(joins: entry("ada", "2")))
        #expect(presence.joined.isEmpty)
        #expect(presence["ada"]?.metas.map(\.reference) == ["1", "2"])
        try presence.apply(diff(leaves: entry("ada", "1")))
        #expect(presence.left.isEmpty)
        try presence.apply(diff(leaves: entry("ada", "2")))
        #expect(presence.left.map(\.key) == ["ada"])
        #expect(presence.isEmpty)
    }

    @Test func aChangeThatArrivesTwiceCountsOnce() throws {
        var presence = Presence()
        try presence.apply(state(entry("ada", "1")))
        for _ in 0..<2 { try presence.apply(diff(joins: entry("bob", "2"))) }
        #expect(presence["bob"]?.metas.count == 1)
        #expect(presence.joined.isEmpty)
        try presence.apply(diff(leaves: entry("bob", "2")))
        try presence.apply(diff(leaves: entry("bob", "2")))
        #expect(presence.keys == ["ada"])
        #expect(presence.left.isEmpty)
    }

    @Test func newDetailsReplaceAConnection() throws {
        var presence = Presence()
        try presence.apply(state(#"{"ada":{"metas":[{"phx_ref":"1","typing":false}]}}"#))
        try presence.apply(
            diff(
                joins: #"{"ada":{"metas":[{"phx_ref":"2","phx_ref_prev":"1","typing":true}]}}"#,
                leaves: #"{"ada":{"metas":[{"phx_ref":"1","typing":false}]}}"#))
        struct Details: Decodable, Equatable { var typing: Bool }
        #expect(try presence["ada"]?.metas.map { try $0.decoded(as: Details.self) } == [Details(typing: true)])
        #expect(presence["ada"]?.metas.first?.values == ["typing": .bool(true)])
        #expect(presence.changed.map(\.key) == ["ada"])
    }

    @Test func changesBeforeTheStateOfANewJoinCountAfterIt() throws {
        var presence = Presence()
        try presence.apply(state(entry("ada", "1")))
        presence.interrupt()
        #expect(!presence.isComplete)
        try presence.apply(diff(joins: entry("bob", "2")))
        #expect(presence.keys == ["ada", "bob"])
        // The state was made before bob joined, and ada had left meanwhile.
        try presence.apply(state(entry("cleo", "3")))
        #expect(presence.keys == ["bob", "cleo"])
        #expect(presence.left.map(\.key) == ["ada"])
        #expect(presence.isComplete)
    }

    @Test func changesWithoutAStateAreKeptWithinALimit() throws {
        var presence = Presence()
        for number in 0..<1100 { try presence.apply(diff(joins: entry("k\(number)", "r"))) }
        #expect(presence.count == 1100)
        try presence.apply(state("{}"))
        #expect(presence.count == 1000)
    }

    @Test func detailsOfAMemberAreKept() throws {
        var presence = Presence()
        try presence.apply(state(#"{"7":{"user":{"name":"Ada"},"metas":[{"phx_ref":"1"}]}}"#))
        #expect(presence["7"]?.values == ["user": .object(["name": .string("Ada")])])
        try presence.apply(diff(joins: entry("7", "2")))
        #expect(presence["7"]?.values.keys.sorted() == ["user"])
    }

    @Test(arguments: [
        "null", "[]", #"{"ada":7}"#, #"{"ada":{}}"#, #"{"ada":{"metas":{}}}"#, #"{"ada":{"metas":[1]}}"#,
        #"{"ada":{"metas":[{}]}}"#, #"{"ada":{"metas":[{"phx_ref":7}]}}"#, "{",
    ])
    func aPayloadOfAnotherFormIsAnErrorAndChangesNothing(_ json: String) throws {
        var presence = Presence()
        try presence.apply(state(entry("bob", "1")))
        let before = presence
        for push in [state(json), diff(joins: json), diff(leaves: json)] {
            let error = #expect(throws: NetError.self) { try presence.apply(push) }
            #expect(error?.code == .decoding)
            #expect(presence == before)
        }
        let none = WirePush(event: "presence_state", topic: "room")
        #expect(throws: NetError.self) { try presence.apply(none) }
    }

    @Test func otherPushesAreNoneOfItsBusiness() throws {
        var presence = Presence()
        #expect(try !presence.apply(WirePush(event: "chat.message")))
        #expect(presence == Presence())
    }
}
