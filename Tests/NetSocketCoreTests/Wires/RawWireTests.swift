import NetCore
import NetSocketCore
import Testing

/// The wire protocol without an envelope.
struct RawWireTests {
    private static let payloads = [
        SocketPayload(json: #"{"a":1}"#), SocketPayload(json: "no JSON"), SocketPayload(bytes: Bytes([0, 255])),
    ]

    @Test func aPayloadIsAMessage() throws {
        var ends = WirePairOfEnds(.raw)
        for payload in Self.payloads {
            try ends.converse([
                (.client, .request(WireRequest(event: "", payload: payload))),
                (.server, .push(WirePush(event: "", payload: payload))),
            ])
            #expect(
                try ends.say(.subscribe(1, payload), from: .client).signals == [
                    .request(WireRequest(event: "", payload: payload))
                ])
        }
        #expect(try ends.say(.unsubscribe(1), from: .client).texts == [])
    }

    @Test func unsupportedSignalsAreRejected() {
        let ends = WirePairOfEnds(.raw)
        ends.refuses([
            .request(WireRequest(id: 1, event: "a")), .request(WireRequest(event: "a", topic: "t")), .cancel(1),
            .reply(WireReply(id: 1, .success(nil))), .join(WireJoin(id: 1, topic: "t")), .leave(1, topic: "t"),
            .heartbeat(nil), .event(1, SocketPayload(json: "1")),
        ])
    }
}
