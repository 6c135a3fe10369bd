#if Tools && Server
import NetSocketCore
import Testing

@testable import net_lab

@Suite struct PresenceTests {
    private func entry(_ references: String...) -> Presence.Entry {
        Presence.Entry(metas: references.map { Presence.Meta(reference: $0) })
    }

    @Test func `A state replaces what was known`() throws {
        var presence = Presence()
        presence.replace(with: Presence.State(["Ada": entry("1")]))
        let payload = SocketPayload(
            json: #"{"Bob":{"metas":[{"phx_ref":"2","on":true}]},"Cleo":{"metas":[{"phx_ref":"3"}]}}"#)
        presence.replace(with: try payload.decoded(as: Presence.State.self))
        #expect(presence.names == ["Bob", "Cleo"])
    }

    @Test func `Somebody is there until the last connection is gone`() {
        var presence = Presence()
        presence.apply(.init(joins: ["Ada": entry("1")], leaves: [:]))
        presence.apply(.init(joins: ["Ada": entry("2")], leaves: [:]))
        presence.apply(.init(joins: [:], leaves: ["Ada": entry("1")]))
        #expect(presence.names == ["Ada"])
        presence.apply(.init(joins: [:], leaves: ["Ada": entry("2"), "Bob": entry("9")]))
        #expect(presence.names == [])
    }

    @Test func `Joins are applied before leaves`() {
        var presence = Presence()
        presence.apply(.init(joins: ["Ada": entry("1")], leaves: [:]))
        presence.apply(.init(joins: ["Ada": entry("2")], leaves: ["Ada": entry("1")]))
        presence.apply(.init(joins: ["Ada": entry("2")], leaves: [:]))
        #expect(presence.names == ["Ada"])
        presence.apply(.init(joins: [:], leaves: ["Ada": entry("2")]))
        #expect(presence.names == [])
    }
}
#endif
