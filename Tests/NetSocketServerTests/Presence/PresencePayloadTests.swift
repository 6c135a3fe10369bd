#if Server
import NetCore
import Testing

@testable import NetSocketServer

@Suite struct PresencePayloadTests {
    private func member(_ key: String, _ connection: String, _ details: SocketPayload?) -> PresenceMember {
        PresenceMember(key: key, connection: connection, node: "a", details: details)
    }

    private func reference(_ connection: String, _ details: String) -> String {
        PresenceMeta(member("", connection, SocketPayload(json: details))).reference
    }

    @Test func `A state has the metas of each key, in order`() {
        var state = PresenceState()
        #expect(state.payload.json == "{}")
        _ = state.enter(member("bob", "2", SocketPayload(json: #"{"b":[1,2],"a":"x"}"#)))
        _ = state.enter(member("ada", "3", SocketPayload(json: "3")))
        _ = state.enter(member("ada", "1", nil))
        let (bob, ada) = (reference("2", #"{"b":[1,2],"a":"x"}"#), reference("3", "3"))
        let first = PresenceMeta(member("ada", "1", nil)).reference
        #expect(
            state.payload.json
                == #"{"ada":{"metas":[{"phx_ref":"\#(ada)","details":3},{"phx_ref":"\#(first)"}]},"#
                + #""bob":{"metas":[{"phx_ref":"\#(bob)","a":"x","b":[1,2]}]}}"#)
    }

    @Test func `A diff has joins and leaves`() {
        var state = PresenceState()
        let joined = state.enter(member("ada", "1", SocketPayload(json: #"{"on":1}"#)))
        let (one, two) = (reference("1", #"{"on":1}"#), reference("1", #"{"on":2}"#))
        #expect(
            joined.payload.json == #"{"joins":{"ada":{"metas":[{"phx_ref":"\#(one)","on":1}]}},"leaves":{}}"#)
        let changed = state.enter(member("ada", "1", SocketPayload(json: #"{"on":2}"#)))
        #expect(
            changed.payload.json
                == #"{"joins":{"ada":{"metas":[{"phx_ref":"\#(two)","on":2,"phx_ref_prev":"\#(one)"}]}},"#
                + #""leaves":{"ada":{"metas":[{"phx_ref":"\#(one)","on":1}]}}}"#)
        let left = state.leave(member("ada", "1", nil))
        #expect(left.payload.json == #"{"joins":{},"leaves":{"ada":{"metas":[{"phx_ref":"\#(two)","on":2}]}}}"#)
        #expect(PresenceDiff().payload.json == #"{"joins":{},"leaves":{}}"#)
    }

    @Test func `Keys and names are escaped`() throws {
        var state = PresenceState()
        let key = "a\"\\\n\u{1}é"
        _ = state.enter(member(key, "1", SocketPayload(json: #"{"\"\n":1}"#)))
        let value = try state.payload.decoded(as: JSONValue.self)
        #expect(value[key]?["metas"]?[0]?["\"\n"]?.intValue == 1)
    }

    @Test func `Details can't replace the references`() throws {
        var state = PresenceState()
        let details = #"{"phx_ref":"forged","phx_ref_prev":"forged","name":"Ada"}"#
        _ = state.enter(member("ada", "1", SocketPayload(json: details)))
        #expect(state.payload.json?.contains("forged") == false)
        #expect(state.payload.json?.contains(#""name":"Ada""#) == true)
    }

    @Test(arguments: ["{", "}{", "", "nul", "{\"a\":1}}", "1]", "{\"a\":1,}", "\u{0}"])
    func `Details that aren't JSON are left out, and the list stays readable`(_ text: String) throws {
        var state = PresenceState()
        _ = state.enter(member("ada", "1", SocketPayload(json: text)))
        _ = state.enter(member("bob", "2", SocketPayload(json: #"{"ok":true}"#)))
        let value = try state.payload.decoded(as: JSONValue.self)
        #expect(value["ada"]?["metas"]?[0]?.objectValue?.keys.sorted() == ["phx_ref"])
        #expect(value["bob"]?["metas"]?[0]?["ok"]?.boolValue == true)
    }

    @Test func `Bytes and null aren't shown, other values are details`() {
        func shown(_ details: SocketPayload) -> String? {
            let meta = PresenceMeta(member("ada", "1", details))
            return meta.json().replacing(meta.reference, with: "r")
        }
        #expect(shown(SocketPayload(bytes: [1, 2])) == #"{"phx_ref":"r"}"#)
        #expect(shown(SocketPayload(json: "null")) == #"{"phx_ref":"r"}"#)
        #expect(shown(SocketPayload(json: #"[1,"x"]"#)) == #"{"phx_ref":"r","details":[1,"x"]}"#)
        #expect(shown(SocketPayload(json: #""away""#)) == #"{"phx_ref":"r","details":"away"}"#)
        #expect(
            shown(SocketPayload(json: "12345678901234567890")) == #"{"phx_ref":"r","details":12345678901234567890}"#)
    }
}
#endif
