import NetCore
import NetSocketCore
import Testing

/// The default wire protocol, which is Sockit's.
struct JSONWireTests {
    private static let payload = SocketPayload(json: #"{"text":"he said \"hi\"","n":[1,2.5e3,{"a":null}]}"#)
    private static let failure = SocketFailure("not_authorized", "Not a member", details: SocketPayload(json: "[1]"))

    @Test func eachEndReadsWhatTheOtherOneSays() throws {
        var ends = WirePairOfEnds(.json)
        try ends.converse([
            (.client, .request(WireRequest(id: 1, event: "profile.get", payload: Self.payload))),
            (
                .client,
                .request(WireRequest(id: "a-b", event: "x", payload: SocketPayload(json: "null"), topic: "room:1"))
            ),
            (.client, .request(WireRequest(event: "no.reply", payload: SocketPayload(json: "7"), topic: "room:\"é\n"))),
            (.server, .reply(WireReply(id: 1, event: "profile.get", .success(Self.payload)))),
            (.server, .reply(WireReply(id: "a-b", event: "x", topic: "room:1", .failure(Self.failure)))),
            (.server, .push(WirePush(event: "chat.message", payload: Self.payload, topic: "room:1"))),
            (.server, .push(WirePush(event: "scalar", payload: SocketPayload(json: "\"text\"")))),
            (.server, .left(nil, topic: "room:1", SocketFailure("kicked", "bye"))),
            (.server, .left(nil, topic: "room:1", nil)),
            (.client, .heartbeat(nil)), (.server, .alive(nil)),
        ])
    }

    @Test func channelsAreJoinedAndLeft() throws {
        var ends = WirePairOfEnds(.json)
        let (joined, texts) = try ends.say(
            .join(
                WireJoin(id: 1, topic: "room:7", payload: SocketPayload(json: #"{"role":"member","topic":"other"}"#))),
            from: .client)
        #expect(
            joined == [
                .join(
                    WireJoin(
                        id: 1, topic: "room:7", payload: SocketPayload(json: #"{"topic":"room:7","role":"member"}"#)))
            ])
        #expect(texts.first?.contains(#""event":"channel.join""#) == true)
        try ends.converse([
            (.server, .joined(WireJoined(id: 1, topic: "room:7", payload: SocketPayload(json: #"{"members":3}"#)))),
            (.client, .leave(2, topic: "room:7")),
        ])
        let (left, _) = try ends.say(.left(2, topic: "room:7", nil), from: .server)
        #expect(left == [.left(2, topic: "room:7", nil)])
        _ = try ends.say(.join(WireJoin(id: 3, topic: "room:8")), from: .client)
        try ends.converse([(.server, .joinRefused(3, topic: "room:8", SocketFailure("full", "try later")))])
    }

    /// Sockit's server rejects a join with a separate event and without a status: its client never notices that.
    @Test(arguments: ["join_rejected", "join_error"]) func aRefusedJoinWithoutAStatusIsSeen(event: String) throws {
        var client = SocketWire.json.makeMachine(.client)
        _ = try client.encode(.join(WireJoin(id: 1, topic: "room:7")))
        let reading = try client.decode(
            .text(#"{"event":"\#(event)","requestId":"1","payload":{"reason":"members only"}}"#))
        #expect(reading.signals == [.joinRefused(1, topic: "room:7", SocketFailure(event, "members only"))])
    }

    /// `payload` is documented as optional, but Sockit's decoders require it.
    @Test func aMessageMayHaveNothingButItsEvent() throws {
        var client = SocketWire.json.makeMachine(.client)
        #expect(try client.decode(.text(#"{"event":"refresh"}"#)).signals == [.push(WirePush(event: "refresh"))])
        #expect(
            try client.decode(.text(#" { "requestId" : "5" , "event" : "a\u002eb" } "#)).signals
                == [.reply(WireReply(id: 5, event: "a.b", .success(nil)))])
        var server = SocketWire.json.makeMachine(.server)
        #expect(
            try server.decode(.text(#"{"requestId":5,"event":"x"}"#)).signals == [
                .request(WireRequest(id: .text("5"), event: "x"))
            ])
    }

    /// A payload that isn't an object crashes Sockit's process.
    @Test(arguments: ["null", "true", "7", "-1.5e3", "\"x\"", "[]", "18446744073709551615", "1.00000000000000000001"])
    func aPayloadIsKeptAsItIs(json: String) throws {
        var client = SocketWire.json.makeMachine(.client)
        let signals = try client.decode(.text(#"{"event":"e","payload":\#(json),"channel":"c"}"#)).signals
        guard case .push(let push) = signals.first else {
            Issue.record("\(signals)")
            return
        }
        #expect(push.payload?.json == json)
        #expect(push.topic == "c")
    }

    @Test func theTextsAreSockits() throws {
        var client = SocketWire.json.makeMachine(.client)
        var server = SocketWire.json.makeMachine(.server)
        let request = WireRequest(id: 7, event: "profile.get", topic: "user:123")
        #expect(
            try client.encode(.request(request))
                == [.text(#"{"event":"profile.get","requestId":"7","channel":"user:123","payload":{}}"#)])
        #expect(
            try server.encode(.reply(WireReply(id: 7, event: "profile.get", .failure(SocketFailure("no", "\u{1}\\")))))
                == [
                    .text(
                        #"{"event":"profile.get","requestId":"7","status":"error","payload":{"error":{"code":"no","message":"\u0001\\"}}}"#
                    )
                ])
        #expect(try client.encode(.heartbeat(nil)) == [.text(#"{"event":"heartbeat"}"#)])
        let reading = try server.decode(.text(#"{"event":"heartbeat","payload":{}}"#))
        #expect(reading.signals == [.heartbeat(nil)])
        #expect(reading.responses == [.text(#"{"event":"heartbeat"}"#)])
    }

    @Test(arguments: ["", "{", "[]", "7", "{}", #"{"event":7}"#, #"{"event":"x"}}"#, #"{"event":"x" "a":1}"#, "null"])
    func invalidMessagesAreRejected(text: String) {
        var machine = SocketWire.json.makeMachine(.client)
        let error = #expect(throws: NetError.self) { try machine.decode(.text(text)) }
        #expect(error?.code == .decoding)
        #expect(error?.message.contains("wire protocol json") == true)
        #expect(throws: NetError.self) { try machine.decode(.binary(Bytes([1]))) }
    }

    @Test(arguments: ["", "{", "[]", "7", "{}", #"{"event":7}"#, #"{"event":"x"}}"#, #"{"event":"x" "a":1}"#, "null"])
    func aServerRefusesInvalidMessages(text: String) throws {
        var machine = SocketWire.json.makeMachine(.server)
        for message in [WebSocketMessage.text(text), .binary(Bytes(text.utf8))] {
            let reading = try machine.decode(message)
            #expect(reading.signals.isEmpty)
            #expect(reading.unreadable?.contains("wire protocol json") == true)
            let start = #"{"event":"error","status":"error","payload":{"error":{"code":"unreadable_message""#
            #expect(reading.responses.map { $0.text?.hasPrefix(start) } == [true])
        }
    }

    @Test func unsupportedSignalsAreRejected() {
        let ends = WirePairOfEnds(.json)
        let payload = SocketPayload(json: "{}")
        ends.refuses([
            .cancel(1), .subscribe(1, payload), .unsubscribe(1), .event(1, payload), .completed(1, nil), .subscribed(1),
            .request(WireRequest(event: "x", payload: SocketPayload(bytes: Bytes([1])))),
        ])
        var client = SocketWire.json.makeMachine(.client)
        let error = #expect(throws: NetError.self) {
            try client.encode(.join(WireJoin(id: 1, topic: "t", payload: SocketPayload(json: "[1]"))))
        }
        #expect(error?.code == .encoding)
    }

    @Test func damageIsSurvived() {
        WirePairOfEnds(.json).survivesDamage(to: [
            #"{"event":"chat.send","requestId":"7","channel":"room","status":"error","payload":{"error":{"code":"x\n"}}}"#,
            #"{"event":"channel.join","requestId":"1","payload":{"topic":"room:7"}}"#, #"{"event":"heartbeat"}"#,
        ])
    }
}
