import NetCore
import NetSocketCore
import Testing

/// Phoenix channels, in both versions of the serializer.
struct PhoenixWireTests {
    static let payload = SocketPayload(json: #"{"body":"he said \"hi\"","n":[1,2.5e3,{"a":null}]}"#)
    static let bytes = SocketPayload(bytes: Bytes([0, 1, 255]))
    static let failure = SocketFailure("unauthorized", "members only", details: SocketPayload(json: "[1]"))

    @Test(arguments: [SocketWire.phoenixV1, .phoenixV2]) func eachEndReadsWhatTheOtherOneSays(wire: SocketWire) throws {
        var ends = WirePairOfEnds(wire)
        let room = "room:\"é\n"
        try ends.converse([
            (.client, .join(WireJoin(id: 1, topic: room, payload: Self.payload))),
            (.server, .joined(WireJoined(id: 1, topic: room, payload: SocketPayload(json: #"{"members":3}"#)))),
            (.client, .request(WireRequest(id: 2, event: "new_msg", payload: Self.payload, topic: room))),
            (.client, .request(WireRequest(event: "typing", payload: SocketPayload(json: "null"), topic: room))),
            (.client, .request(WireRequest(id: "a-b", event: "x", payload: SocketPayload(json: "7"), topic: "other"))),
            (.server, .reply(WireReply(id: 2, topic: room, .success(Self.payload)))),
            (.server, .reply(WireReply(id: "a-b", topic: "other", .failure(Self.failure)))),
            (.server, .reply(WireReply(id: 3, topic: room, .failure(SocketFailure("full"))))),
            (.server, .reply(WireReply(id: 4, topic: room, .failure(SocketFailure("", "a\u{1}\n"))))),
            (.server, .push(WirePush(event: "new_msg", payload: Self.payload, topic: room))),
            (.server, .push(WirePush(event: "presence_diff", payload: SocketPayload(json: "\"x\""), topic: "other"))),
            (.client, .heartbeat(5)), (.server, .alive(5)), (.client, .heartbeat("hb-x")), (.server, .alive("hb-x")),
            (.client, .leave(6, topic: room)), (.server, .left(6, topic: room, nil)),
            (.client, .join(WireJoin(id: 7, topic: room, payload: Self.payload))),
            (.server, .joinRefused(7, topic: room, Self.failure)),
            (.client, .join(WireJoin(id: "8-b", topic: room, payload: Self.payload))),
            (.server, .joined(WireJoined(id: "8-b", topic: room, payload: Self.payload))),
            (.server, .left(nil, topic: room, SocketFailure("phx_error", "crashed"))),
            (.client, .join(WireJoin(id: 9, topic: room, payload: Self.payload))),
            (.server, .joined(WireJoined(id: 9, topic: room, payload: Self.payload))),
            (.server, .left(nil, topic: room, Self.failure)),
            (.client, .join(WireJoin(id: 10, topic: room, payload: Self.payload))),
            (.server, .joined(WireJoined(id: 10, topic: room, payload: Self.payload))),
            (.client, .leave(11, topic: room)), (.server, .left(11, topic: room, SocketFailure("busy", "later"))),
            (.client, .join(WireJoin(id: 12, topic: room, payload: Self.payload))),
            (.server, .joined(WireJoined(id: 12, topic: room, payload: Self.payload))),
            (.server, .left(nil, topic: room, nil)),
        ])
        #expect(try ends.say(.open(nil), from: .client).texts.isEmpty)
        #expect(try ends.say(.opened(WireOpened()), from: .server).texts.isEmpty)
        #expect(try ends.say(.end(WireEnd(Self.failure)), from: .server).texts.isEmpty)
    }

    @Test func theTextsArePhoenixs() throws {
        var client = SocketWire.phoenixV2.makeMachine(.client)
        var server = SocketWire.phoenixV2.makeMachine(.server)
        let join = try client.encode(.join(WireJoin(id: 1, topic: "room:lobby")))
        #expect(join == [.text(#"["1","1","room:lobby","phx_join",{}]"#)])
        #expect(
            try server.encode(.joined(WireJoined(id: 1, topic: "room:lobby")))
                == [.text(#"["1","1","room:lobby","phx_reply",{"status":"ok","response":{}}]"#)])
        #expect(
            try client.encode(.request(WireRequest(id: 2, event: "new_msg", topic: "room:lobby")))
                == [.text(#"["1","2","room:lobby","new_msg",{}]"#)])
        #expect(
            try server.encode(.push(WirePush(event: "new_msg", topic: "room:lobby")))
                == [.text(#"["1",null,"room:lobby","new_msg",{}]"#)])
        #expect(
            try server.encode(.push(WirePush(event: "new_msg", topic: "elsewhere")))
                == [.text(#"[null,null,"elsewhere","new_msg",{}]"#)])
        #expect(
            try client.encode(.leave(3, topic: "room:lobby")) == [.text(#"["1","3","room:lobby","phx_leave",{}]"#)])
        #expect(
            try server.encode(.left(nil, topic: "room:lobby", nil))
                == [.text(#"["1","1","room:lobby","phx_close",{}]"#)])
        #expect(
            try client.encode(.heartbeat(nil)) == [.text(#"[null,"hb-1","phoenix","heartbeat",{}]"#)])
        let beat = try server.decode(.text(#"[null,"5","phoenix","heartbeat",{}]"#))
        #expect(beat.signals == [.heartbeat(5)])
        #expect(beat.responses == [.text(#"[null,"5","phoenix","phx_reply",{"status":"ok","response":{}}]"#)])
    }

    @Test func theTextsOfVersion1AreObjects() throws {
        var client = SocketWire.phoenixV1.makeMachine(.client)
        var server = SocketWire.phoenixV1.makeMachine(.server)
        #expect(
            try client.encode(.join(WireJoin(id: 1, topic: "room:lobby")))
                == [.text(#"{"topic":"room:lobby","event":"phx_join","payload":{},"ref":"1","join_ref":"1"}"#)])
        #expect(
            try server.encode(.joined(WireJoined(id: 1, topic: "room:lobby")))
                == [
                    .text(
                        #"{"topic":"room:lobby","event":"phx_reply","payload":{"status":"ok","response":{}},"ref":"1"}"#
                    )
                ])
        let old = #"{"topic":"room:lobby","event":"phx_join","payload":{"a":1},"ref":1}"#
        #expect(
            try server.decode(.text(old)).signals == [
                .join(WireJoin(id: .text("1"), topic: "room:lobby", payload: SocketPayload(json: #"{"a":1}"#)))
            ])
        #expect(
            try client.decode(.text(#"{"ref":null,"payload":{},"event":"e","topic":"t","x":1}"#)).signals
                == [.push(WirePush(event: "e", payload: SocketPayload(json: "{}"), topic: "t"))])
        #expect(throws: NetError.self) { try client.decode(.binary(Bytes([2, 1, 1, 0x61, 0x61]))) }
        for machine in [client, server] {
            var machine = machine
            #expect(throws: NetError.self) {
                try machine.encode(.request(WireRequest(id: 1, event: "x", payload: Self.bytes, topic: "t")))
            }
        }
    }

    /// A message in transit when the client left and joined again belongs to the earlier join.
    @Test func messagesOfAnEarlierJoinAreIgnored() throws {
        var client = SocketWire.phoenixV2.makeMachine(.client)
        _ = try client.encode(.join(WireJoin(id: 1, topic: "r")))
        _ = try client.decode(.text(#"["1","1","r","phx_reply",{"status":"ok","response":{}}]"#))
        _ = try client.encode(.join(WireJoin(id: 5, topic: "r")))
        for stale in [
            #"["1",null,"r","new_msg",{}]"#, #"["1","1","r","phx_close",{}]"#, #"["1","1","r","phx_error",{}]"#,
            #"["1","1","r","phx_reply",{"status":"ok","response":{}}]"#,
            #"["1","2","r","phx_reply",{"status":"ok","response":{}}]"#, #"["1",null,"elsewhere","new_msg",{}]"#,
        ] {
            #expect(try client.decode(.text(stale)) == WireReading(), "\(stale)")
        }
        #expect(try client.decode(.text(#"["5","5","r","phx_reply",{"status":"ok"}]"#)).signals.count == 1)
        #expect(try client.decode(.text(#"["5","5","r","phx_reply",{"status":"ok"}]"#)).signals.isEmpty)
        #expect(try client.decode(.text(#"["5",null,"r","new_msg",{}]"#)).signals.count == 1)
        #expect(try client.decode(.text(#"[null,null,"r","new_msg",{}]"#)).signals.count == 1)

        var server = SocketWire.phoenixV2.makeMachine(.server)
        _ = try server.decode(.text(#"["1","1","r","phx_join",{}]"#))
        _ = try server.encode(.joined(WireJoined(id: 1, topic: "r")))
        _ = try server.decode(.text(#"["5","5","r","phx_join",{}]"#))
        #expect(try server.decode(.text(#"["5","6","r","new_msg",{}]"#)).signals.count == 1)
        #expect(
            try server.encode(.left(nil, topic: "r", nil)) == [.text(#"["1","1","r","phx_close",{}]"#)],
            "it ends the earlier join")
        _ = try server.encode(.joined(WireJoined(id: 5, topic: "r")))
        #expect(try server.decode(.text(#"["1","7","r","new_msg",{}]"#)).signals.isEmpty)
        #expect(try server.decode(.text(#"["1","7","r","phx_leave",{}]"#)).signals.isEmpty)
        #expect(try server.decode(.text(#"[null,"7","r","new_msg",{}]"#)).signals.count == 1)
        #expect(try server.decode(.text(#"["5","7","r","phx_leave",{}]"#)).signals == [.leave(7, topic: "r")])
    }

    /// Phoenix replies to a leave and then closes the channel; either one is enough.
    @Test(arguments: [
        (SocketWire.phoenixV2, #"["1","1","r","phx_close",{}]"#),
        (.phoenixV1, #"{"topic":"r","event":"phx_close","payload":{},"ref":"1"}"#),
    ]) func theCloseAfterALeaveIsIgnored(wire: SocketWire, close: String) throws {
        var ends = WirePairOfEnds(wire)
        try ends.converse([
            (.client, .join(WireJoin(id: 1, topic: "r", payload: Self.payload))),
            (.server, .joined(WireJoined(id: 1, topic: "r", payload: Self.payload))),
            (.client, .leave(2, topic: "r")), (.server, .left(2, topic: "r", nil)),
        ])
        #expect(try ends.client.decode(.text(close)) == WireReading())
    }

    /// Some clients number joins separately from messages.
    @Test func aJoinMayHaveAReferenceOfItsOwn() throws {
        var server = SocketWire.phoenixV2.makeMachine(.server)
        let join = try server.decode(.text(#"["j1","7","r","phx_join",{}]"#))
        #expect(join.signals == [.join(WireJoin(id: 7, topic: "r", payload: SocketPayload(json: "{}")))])
        #expect(
            try server.encode(.joined(WireJoined(id: 7, topic: "r")))
                == [.text(#"["j1","7","r","phx_reply",{"status":"ok","response":{}}]"#)])
        #expect(try server.decode(.text(#"["j1","8","r","x",{}]"#)).signals.count == 1)
        #expect(try server.encode(.push(WirePush(event: "e", topic: "r"))) == [.text(#"["j1",null,"r","e",{}]"#)])
    }

    @Test func joinsWithoutAnAnswerAreLimited() throws {
        var server = SocketWire.phoenixV2.makeMachine(.server)
        for id in 1...1000 { _ = try server.decode(.text(#"["\#(id)","\#(id)","r","phx_join",{}]"#)) }
        #expect(throws: NetError.self) { try server.decode(.text(#"["1001","1001","r","phx_join",{}]"#)) }
        _ = try server.encode(.joinRefused(7, topic: "r", SocketFailure("full")))
        #expect(try server.decode(.text(#"["1001","1001","r","phx_join",{}]"#)).signals.count == 1)
    }

    /// The responses of errors in Phoenix and its applications.
    @Test(arguments: [
        (#"{"reason":"unmatched topic"}"#, "unmatched topic", "unmatched topic", true),
        (#"{"reason":"join crashed","id":7}"#, "join crashed", "join crashed", true),
        (#"{"errors":{"name":["can't be blank"]}}"#, "error", "", true),
        (#""no""#, "error", "no", true), (#"{"code":404,"message":"m"}"#, "404", "m", false),
        ("{}", "error", "", false),
        ("null", "error", "", false), (#"{"code":"a","reason":"b","message":"c"}"#, "a", "c", true),
    ]) func aRefusedJoinSaysWhy(response: String, code: String, message: String, hasDetails: Bool) throws {
        var client = SocketWire.phoenixV2.makeMachine(.client)
        _ = try client.encode(.join(WireJoin(id: 1, topic: "r")))
        let reading = try client.decode(
            .text(#"["1","1","r","phx_reply",{"status":"error","response":\#(response)}]"#))
        let failure = SocketFailure(code, message, details: hasDetails ? SocketPayload(json: response) : nil)
        #expect(reading.signals == [.joinRefused(1, topic: "r", failure)])
    }

    @Test func aCrashedChannelSaysSo() throws {
        var client = SocketWire.phoenixV2.makeMachine(.client)
        _ = try client.encode(.join(WireJoin(id: 1, topic: "r")))
        let reading = try client.decode(.text(#"["1","1","r","phx_error",{"reason":"channel_crash"}]"#))
        let details = SocketPayload(json: #"{"reason":"channel_crash"}"#)
        #expect(
            reading.signals == [.left(nil, topic: "r", SocketFailure("phx_error", "channel_crash", details: details))])
    }

    @Test(arguments: [
        "", "{", "7", "{}", "[]", "null", #"["1","1","t","e"]"#, #"["1","1",null,"e",{}]"#, #"["1","1","t",7,{}]"#,
        #"["1","1","t","e",{}]]"#, #"{"topic":"t"}"#,
    ]) func invalidMessagesAreRejected(text: String) {
        for role in [WebSocketRole.client, .server] {
            for wire in [SocketWire.phoenixV1, .phoenixV2] {
                var machine = wire.makeMachine(role)
                let error = #expect(throws: NetError.self) { try machine.decode(.text(text)) }
                #expect(error?.code == .decoding)
                #expect(error?.message.contains("wire protocol \(wire.name)") == true)
            }
        }
    }

    @Test func unsupportedSignalsAreRejected() throws {
        let payload = SocketPayload(json: "{}")
        for wire in [SocketWire.phoenixV1, .phoenixV2] {
            let ends = WirePairOfEnds(wire)
            ends.refuses([
                .cancel(1), .subscribe(1, payload), .unsubscribe(1), .event(1, payload), .completed(1, nil),
                .subscribed(1), .request(WireRequest(id: 1, event: "x")), .push(WirePush(event: "x")),
                .reply(WireReply(id: 1, .success(nil))), .request(WireRequest(id: 1, event: "phx_join", topic: "t")),
                .push(WirePush(event: "phx_close", topic: "t")), .join(WireJoin(id: 1, topic: "phoenix")),
                .join(WireJoin(id: 1, topic: "t", position: ChannelPosition(epoch: "e", offset: 1))), .open(payload),
                .opened(WireOpened(payload: payload)),
            ])
            var (client, server) = (wire.makeMachine(.client), wire.makeMachine(.server))
            #expect(throws: NetError.self) { try client.encode(.push(WirePush(event: "x", topic: "t"))) }
            #expect(throws: NetError.self) { try client.encode(.alive(1)) }
            #expect(throws: NetError.self) { try server.encode(.request(WireRequest(id: 1, event: "x", topic: "t"))) }
            #expect(throws: NetError.self) { try server.encode(.heartbeat(1)) }
        }
    }

    /// A rejected join is forgotten: a reply with its ID is then that of a request.
    @Test func rejectedJoinsAreForgotten() throws {
        var client = SocketWire.phoenixV1.makeMachine(.client)
        #expect(throws: NetError.self) {
            try client.encode(.join(WireJoin(id: 1, topic: "t", payload: Self.bytes)))
        }
        let reply = #"{"topic":"t","event":"phx_reply","payload":{"status":"ok"},"ref":"1"}"#
        #expect(try client.decode(.text(reply)).signals == [.reply(WireReply(id: 1, topic: "t", .success(nil)))])
    }

    @Test func damageIsSurvived() {
        WirePairOfEnds(.phoenixV2).survivesDamage(to: [
            #"["1","1","room","phx_reply",{"status":"error","response":{"reason":"x\n"}}]"#,
            #"["1","1","room","phx_join",{"a":[1]}]"#, #"[null,"2","phoenix","heartbeat",{}]"#,
        ])
        WirePairOfEnds(.phoenixV1).survivesDamage(to: [
            #"{"topic":"r","event":"phx_reply","payload":{"status":"error","response":{"reason":"x"}},"ref":"1"}"#,
            #"{"topic":"r","event":"phx_join","payload":{},"ref":"1","join_ref":"1"}"#,
        ])
    }
}
