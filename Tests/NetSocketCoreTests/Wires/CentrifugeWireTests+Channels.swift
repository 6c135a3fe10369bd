import NetCore
import NetSocketCore
import Testing

/// Joins, recovery, and pushes that are ignored.
extension CentrifugeWireTests {
    /// A token and settings are members of the command, all other payloads are data.
    @Test(arguments: [
        (#"{"token":"t","data":{"a":1}}"#, #""token":"t","data":{"a":1}"#),
        (#"{"recoverable":true,"join_leave":false}"#, #""recoverable":true,"join_leave":false"#),
        (#"{"data":1}"#, #""data":{"data":1}"#), (#"{"token":7}"#, #""data":{"token":7}"#),
        (#"{"token":"t","role":"x"}"#, #""data":{"token":"t","role":"x"}"#), ("{}", #""data":{}"#),
        ("[1]", #""data":[1]"#), (#"{"token":"t","token":"u"}"#, #""data":{"token":"t","token":"u"}"#),
    ]) func thePayloadOfAJoinIsItsData(payload: String, members: String) throws {
        var ends = WirePairOfEnds(.centrifuge)
        let join = WireJoin(id: 1, topic: "c", payload: SocketPayload(json: payload))
        let (signals, texts) = try ends.say(.join(join), from: .client)
        #expect(signals == [.join(join)])
        #expect(texts == [#"{"id":1,"subscribe":{"channel":"c",\#(members)}}"#])
    }

    /// Without a position, missed messages weren't requested, so nothing shows whether there is a gap.
    @Test func recoveryIsToldOnlyIfAsked() throws {
        var client = SocketWire.centrifuge.makeMachine(.client)
        let reply = #"{"id":1,"subscribe":{"recoverable":true,"epoch":"e","offset":3}}"#
        _ = try client.encode(.join(WireJoin(id: 1, topic: "c")))
        let position = ChannelPosition(epoch: "e", offset: 3)
        #expect(
            try client.decode(.text(reply)).signals == [.joined(WireJoined(id: 1, topic: "c", position: position))])
        _ = try client.encode(.join(WireJoin(id: 1, topic: "c", position: ChannelPosition(epoch: "e", offset: 1))))
        #expect(
            try client.decode(.text(reply)).signals
                == [.joined(WireJoined(id: 1, topic: "c", position: position, isRecovered: false))])
        _ = try client.encode(.join(WireJoin(id: 1, topic: "c", position: position)))
        let zero = #"{"id":1,"subscribe":{"positioned":true,"was_recovering":true,"recovered":true,"offset":"7"}}"#
        #expect(
            try client.decode(.text(zero)).signals == [
                .joined(
                    WireJoined(
                        id: 1, topic: "c", position: ChannelPosition(epoch: "", offset: 7), isRecovered: true))
            ])
    }

    @Test(arguments: [
        #"{"push":{}}"#, #"{"push":{"channel":"c"}}"#, #"{"push":{"channel":"c","refresh":{"ttl":1}}}"#,
        #"{"push":{"pub":{"data":1}}}"#, #"{"push":{"id":7,"pub":{"data":1}}}"#, #"{"push":null}"#, #"{"id":0}"#,
        #"{"push":{"channel":"c","subscribe":{"recoverable":true}}}"#, #"{"news":{}}"#, #"{"push":{"connect":{}}}"#,
    ]) func unsupportedAndIncompleteMessagesAreIgnored(text: String) throws {
        var client = SocketWire.centrifuge.makeMachine(.client)
        #expect(try client.decode(.text(text)) == WireReading())
    }
}
