import NetCore
import NetSocketCore
import Testing

struct SocketPayloadTests {
    @Test func aPayloadIsASliceOfItsMessage() throws {
        var client = SocketWire.json.makeMachine(.client)
        let signals = try client.decode(.text("{\"event\":\"é\",\"payload\": {\"name\": \"Ada é\"} }")).signals
        guard case .push(let push)? = signals.first, let payload = push.payload else {
            Issue.record("\(signals)")
            return
        }
        #expect(payload.json == "{\"name\": \"Ada é\"}")
        #expect(payload.bytes == Bytes("{\"name\": \"Ada é\"}".utf8))
        #expect(try payload.decoded(as: [String: String].self) == ["name": "Ada é"])
        #expect(payload == SocketPayload(json: "{\"name\": \"Ada é\"}"))
        #expect(payload.count == 18 && !payload.isBinary)
    }

    @Test func whatIsWrongInsideIsFoundWhenItIsDecoded() throws {
        var client = SocketWire.json.makeMachine(.client)
        let signals = try client.decode(.text(#"{"event":"e","payload":{"a":}}"#)).signals
        guard case .push(let push)? = signals.first else {
            Issue.record("\(signals)")
            return
        }
        let error = #expect(throws: NetError.self) { try push.payload?.decoded(as: [String: Int].self) }
        #expect(error?.code == .decoding)
    }

    @Test func nothingOfItIsPrinted() throws {
        let payload = try SocketPayload(["token": "PLANTED"])
        var text = "\(payload) \(String(reflecting: payload))"
        dump(payload, to: &text)
        #expect(!text.contains("PLANTED"))
    }

    @Test(arguments: [
        ("0", SocketID.number(0)), ("42", 42), ("007", .text("007")), ("-1", .text("-1")), ("", .text("")),
    ])
    func anIDIsANumberOrText(text: String, id: SocketID) {
        #expect(SocketID(text) == id)
        #expect(id.description == text)
    }
}
