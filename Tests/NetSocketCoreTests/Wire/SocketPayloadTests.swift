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
        #expect(payload.count == 18)
        #expect(!payload.isBinary)
    }

    @Test func malformedPayloadsFailWhenDecoded() throws {
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

    @Test func textAndBytesAreDifferentPayloads() {
        let (text, bytes) = (SocketPayload(json: "[1]"), SocketPayload(bytes: Bytes("[1]".utf8)))
        #expect(text != bytes)
        #expect(text == SocketPayload(json: "[1]"))
        #expect(text != SocketPayload(json: "[2]"))
        #expect(bytes == SocketPayload(bytes: Bytes("[1]".utf8)))
        #expect(bytes != SocketPayload(bytes: Bytes("[2]".utf8)))
        #expect(text.bytes == bytes.bytes)
        #expect(text.count == 3)
        #expect(bytes.count == 3)
        #expect(!text.isBinary)
        #expect(bytes.isBinary)
        #expect(bytes.json == nil)
        #expect(text.json == "[1]")
        #expect(text.description == "3 bytes of JSON")
        #expect(bytes.description == "3 bytes of data")
    }

    @Test func bytesAreDecodedLikeText() throws {
        let payload = SocketPayload(bytes: Bytes("[1,2]".utf8))
        #expect(try payload.decoded(as: [Int].self) == [1, 2])
        let error = #expect(throws: NetError.self) { try payload.decoded(as: String.self) }
        #expect(error?.code == .decoding)
        #expect(error?.phase == .decoding)
        #expect(error?.message == "a payload of 5 bytes can't be decoded as String")
    }

    @Test func encodingErrorsKeepTheirCause() {
        struct Broken: Encodable {
            func encode(to encoder: any Encoder) throws { throw SocketFailure("broken") }
        }
        let error = #expect(throws: NetError.self) { try SocketPayload(Broken()) }
        #expect(error?.code == .encoding)
        #expect(error?.phase == .preparing)
        #expect(error?.underlying as? SocketFailure == SocketFailure("broken"))
    }

    @Test func aFailureIsItsCodeAndItsMessage() {
        #expect(SocketFailure("full").description == "full")
        #expect(SocketFailure("full", "later").description == "full: later")
        #expect(SocketFailure("full").details == nil)
    }

    @Test func literalsAreIDs() {
        let (number, text): (SocketID, SocketID) = (7, "a-b")
        #expect(number == .number(7))
        #expect(text == .text("a-b"))
        #expect(("7" as SocketID) == 7)
        for text in ["18446744073709551615", "18446744073709551616", "+7", " 7", "7.0", "0x1"] {
            #expect(SocketID(text).description == text)
        }
        #expect(SocketID("18446744073709551615") == .number(.max))
        #expect(SocketID("+7") == .text("+7"))
    }
}
