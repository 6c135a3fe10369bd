import NetCore
import NetSocketCore
import Testing

/// Centrifuge, the protocol of Centrifugo.
struct CentrifugeWireTests {
    static let payload = SocketPayload(json: #"{"text":"he said \"hi\"","n":[1,2.5e3,{"a":null}]}"#)
    static let failure = SocketFailure("forbidden", "members only", details: SocketPayload(json: "[1]"))
    static let position = ChannelPosition(epoch: "x\"y", offset: 41)

    @Test func eachEndReadsWhatTheOtherOneSays() throws {
        var ends = WirePairOfEnds(.centrifuge)
        let missed = [
            WirePush(event: "", payload: Self.payload, topic: "chat", offset: 42), WirePush(event: "", topic: "chat"),
        ]
        try ends.converse([
            (.client, .open(SocketPayload(json: #"{"token":"eyJ","data":{"a":1}}"#))),
            (.server, .opened(WireOpened(payload: Self.payload, heartbeat: .seconds(35), session: "a1"))),
            (.server, .heartbeat(nil)), (.client, .alive(nil)), (.client, .heartbeat(nil)), (.server, .alive(nil)),
            (.client, .heartbeat(77)), (.server, .alive(77)),
            (.client, .request(WireRequest(id: 1, event: "profile.get", payload: Self.payload))),
            (.client, .request(WireRequest(id: 4_294_967_293, event: ""))),
            (.client, .request(WireRequest(id: 2, event: "", payload: SocketPayload(json: "null"), topic: "chat"))),
            (.client, .request(WireRequest(event: "", payload: SocketPayload(json: "7")))),
            (.server, .reply(WireReply(id: 1, .success(Self.payload)))),
            (.server, .reply(WireReply(id: 1, .success(nil)))),
            (.server, .reply(WireReply(id: 2, .failure(Self.failure)))),
            (.server, .reply(WireReply(id: 2, .failure(SocketFailure("104", "method not found"))))),
            (.server, .reply(WireReply(id: 2, .failure(Self.temporary(#"{"temporary":true}"#))))),
            (.server, .reply(WireReply(id: 2, .failure(Self.temporary(#"{"temporary":true,"a":1}"#))))),
            (.server, .push(WirePush(event: "", payload: Self.payload, topic: "chat\n\"é", offset: UInt64.max))),
            (.server, .push(WirePush(event: "", payload: Self.payload))),
            (.server, .push(WirePush(event: "join", payload: Self.payload, topic: "chat"))),
            (.server, .push(WirePush(event: "leave", topic: "chat"))),
            (.client, .join(WireJoin(id: 3, topic: "chat", payload: Self.payload))),
            (.server, .joined(WireJoined(id: 3, topic: "chat", payload: Self.payload))),
            (.client, .join(WireJoin(id: 4, topic: "chat", position: Self.position))),
            (
                .server,
                .joined(
                    WireJoined(
                        id: 4, topic: "chat", payload: Self.payload, position: Self.position, isRecovered: true,
                        missed: missed))
            ),
            (.client, .join(WireJoin(id: 5, topic: "chat", position: ChannelPosition(epoch: "", offset: 0)))),
            (.server, .joined(WireJoined(id: 5, topic: "chat", position: Self.position, isRecovered: false))),
            (.client, .join(WireJoin(id: 6, topic: "vip"))), (.server, .joinRefused(6, topic: "vip", Self.failure)),
            (.client, .leave(7, topic: "chat")), (.server, .left(7, topic: "chat", nil)),
            (.client, .leave(8, topic: "chat")), (.server, .left(8, topic: "chat", Self.failure)),
            (.server, .left(nil, topic: "chat", nil)), (.server, .left(nil, topic: "chat", Self.failure)),
            (.server, .left(nil, topic: "chat", SocketFailure("2500", "insufficient state"))),
            (.server, .end(WireEnd(SocketFailure("3501", "bad request"), mayReconnect: false))),
            (.server, .end(WireEnd(Self.failure, mayReconnect: true))),
            (.server, .end(WireEnd(Self.failure, mayReconnect: false))),
        ])
        #expect(try ends.say(.end(WireEnd()), from: .server).texts.isEmpty)
        #expect(try ends.say(.end(WireEnd(Self.failure)), from: .client).texts.isEmpty)
    }

    static func temporary(_ details: String) -> SocketFailure {
        SocketFailure("100", "internal server error", details: SocketPayload(json: details))
    }

    @Test(arguments: [true, false]) func aServerMayRefuseToOpen(mayReconnect: Bool) throws {
        var ends = WirePairOfEnds(.centrifuge)
        try ends.converse([
            (.client, .open(nil)), (.server, .end(WireEnd(Self.failure, mayReconnect: mayReconnect))),
            (.client, .open(nil)), (.server, .opened(WireOpened())),
        ])
    }

    /// Members and values as in the protocol's schema.
    @Test func theTextsAreCentrifuges() throws {
        var client = SocketWire.centrifuge.makeMachine(.client)
        var server = SocketWire.centrifuge.makeMachine(.server)
        #expect(
            try client.encode(.open(SocketPayload(json: #"{"token":"eyJ"}"#)))
                == [.text(#"{"id":4294967295,"connect":{"token":"eyJ"}}"#)])
        _ = try server.decode(.text(#"{"id":1,"connect":{}}"#))
        #expect(
            try server.encode(.opened(WireOpened(heartbeat: .seconds(35), session: "a1")))
                == [.text(#"{"id":1,"connect":{"client":"a1","ping":25,"pong":true}}"#)])
        let join = WireJoin(id: 2, topic: "chat", position: ChannelPosition(epoch: "xyz", offset: 41))
        #expect(
            try client.encode(.join(join))
                == [.text(#"{"id":2,"subscribe":{"channel":"chat","recover":true,"epoch":"xyz","offset":41}}"#)])
        #expect(
            try client.encode(.request(WireRequest(id: 3, event: "time", payload: SocketPayload(json: "{}"))))
                == [.text(#"{"id":3,"rpc":{"method":"time","data":{}}}"#)])
        #expect(
            try client.encode(
                .request(WireRequest(id: 4, event: "", payload: SocketPayload(json: "1"), topic: "chat")))
                == [.text(#"{"id":4,"publish":{"channel":"chat","data":1}}"#)])
        #expect(
            try client.encode(.request(WireRequest(event: "", payload: SocketPayload(json: "1"))))
                == [.text(#"{"send":{"data":1}}"#)])
        #expect(try client.encode(.leave(5, topic: "chat")) == [.text(#"{"id":5,"unsubscribe":{"channel":"chat"}}"#)])
        #expect(
            try server.encode(.reply(WireReply(id: 4, topic: "chat", .success(nil))))
                == [.text(#"{"id":4,"publish":{}}"#)])
        #expect(
            try server.encode(.push(WirePush(event: "", payload: SocketPayload(json: "1"), topic: "chat", offset: 9)))
                == [.text(#"{"push":{"channel":"chat","pub":{"data":1,"offset":9}}}"#)])
        #expect(
            try server.encode(.left(nil, topic: "chat", nil))
                == [.text(#"{"push":{"channel":"chat","unsubscribe":{"code":2000,"reason":""}}}"#)])
        #expect(
            try server.encode(.reply(WireReply(id: 4, .failure(SocketFailure("forbidden", "no")))))
                == [.text(#"{"id":4,"error":{"code":400,"message":"no","name":"forbidden"}}"#)])
        #expect(
            try server.encode(.end(WireEnd(SocketFailure("3501", "bad request"), mayReconnect: false)))
                == [.text(#"{"push":{"disconnect":{"code":3501,"reason":"bad request","reconnect":false}}}"#)])
    }

    @Test func theAnswerToTheOpeningMessageIsRead() throws {
        var client = SocketWire.centrifuge.makeMachine(.client)
        _ = try client.encode(.open(nil))
        let text =
            #"{"id":4294967295,"connect":{"client":"a1","version":"6.0","data":{"a":1},"ping":25,"pong":true,"#
            + #""subs":{"news":{"recoverable":true,"offset":7,"recovered":true,"publications":[{"data":1,"offset":7}]}}}}"#
        let opened = WireOpened(payload: SocketPayload(json: #"{"a":1}"#), heartbeat: .seconds(35), session: "a1")
        let missed = WirePush(event: "", payload: SocketPayload(json: "1"), topic: "news", offset: 7)
        #expect(try client.decode(.text(text)).signals == [.opened(opened), .push(missed)])
        #expect(
            try client.decode(.text("{}")) == WireReading([.heartbeat(nil)], responses: [.text("{}")]),
            "the server wants answers")
        var quiet = SocketWire.centrifuge.makeMachine(.client)
        _ = try quiet.encode(.open(nil))
        _ = try quiet.decode(.text(#"{"id":4294967295,"connect":{"client":"a1","ping":25}}"#))
        #expect(try quiet.decode(.text("{}")) == WireReading([.heartbeat(nil)]))
    }

    @Test(arguments: [
        (#"{"code":109,"message":"token expired"}"#, true), (#"{"code":103,"message":"permission denied"}"#, false),
        (#"{"code":100,"message":"internal server error","temporary":true}"#, true),
    ]) func anErrorAtTheOpeningTellsWhetherToConnectAgain(error: String, mayReconnect: Bool) throws {
        var client = SocketWire.centrifuge.makeMachine(.client)
        _ = try client.encode(.open(nil))
        guard
            case .end(let end) = try client.decode(.text(#"{"id":4294967295,"error":\#(error)}"#)).signals.first
        else {
            Issue.record("no end")
            return
        }
        #expect(end.mayReconnect == mayReconnect)
        #expect(end.failure?.details == nil)
    }

    @Test(arguments: [
        (3000, "", true), (3500, "", false), (3999, "", false), (4000, "", true), (4499, "", true), (4500, "", false),
        (4999, "", false), (5000, "", true), (3500, #","reconnect":true"#, true), (3000, #","reconnect":false"#, false),
    ]) func aDisconnectionTellsWhetherToConnectAgain(code: Int, more: String, mayReconnect: Bool) throws {
        var client = SocketWire.centrifuge.makeMachine(.client)
        let text = #"{"push":{"disconnect":{"code":\#(code),"reason":"r"\#(more)}}}"#
        #expect(
            try client.decode(.text(text)).signals == [
                .end(WireEnd(SocketFailure(String(code), "r"), mayReconnect: mayReconnect))
            ])
    }

    @Test func severalLinesAreSeveralMessages() throws {
        var client = SocketWire.centrifuge.makeMachine(.client)
        _ = try client.encode(.join(WireJoin(id: 2, topic: "a")))
        let text = """
            {"id":2,"subscribe":{}}
            {"id":3,"rpc":{"data":"x"}}\r
            {}

            {"push":{"channel":"a","pub":{"data":1,"info":{"user":"u"},"tags":{"t":"v"}}}}

            """
        #expect(
            try client.decode(.text(text)).signals == [
                .joined(WireJoined(id: 2, topic: "a")),
                .reply(WireReply(id: 3, .success(SocketPayload(json: "\"x\"")))), .heartbeat(nil),
                .push(WirePush(event: "", payload: SocketPayload(json: "1"), topic: "a")),
            ])
        var server = SocketWire.centrifuge.makeMachine(.server)
        let commands =
            "{\"id\":1,\"subscribe\":{\"channel\":\"a\"}}\n{\"id\":2,\"history\":{}}\n{\"id\":3,\"publish\":{}}\n{}"
        let reading = try server.decode(.text(commands))
        #expect(reading.signals == [.join(WireJoin(id: 1, topic: "a")), .alive(nil)])
        #expect(
            reading.responses == [
                .text(#"{"id":2,"error":{"code":108,"message":"not available"}}"#),
                .text(#"{"id":3,"error":{"code":107,"message":"bad request"}}"#),
            ])
    }

    /// A message is decoded completely or not at all, so a damaged line after a join's reply doesn't discard the join.
    @Test func aDamagedLineLeavesNothingDone() throws {
        var client = SocketWire.centrifuge.makeMachine(.client)
        _ = try client.encode(.join(WireJoin(id: 2, topic: "a")))
        #expect(throws: NetError.self) { try client.decode(.text("{\"id\":2,\"subscribe\":{}}\n{")) }
        #expect(
            try client.decode(.text(#"{"id":2,"subscribe":{}}"#)).signals == [.joined(WireJoined(id: 2, topic: "a"))])
    }

    /// Line breaks separate messages; within JSON they are whitespace.
    @Test func payloadsOfSeveralLinesAreWrittenOnOne() throws {
        var ends = WirePairOfEnds(.centrifuge)
        let pretty = SocketPayload(json: "{\n  \"a\": \"é\"\r\n}")
        let (signals, _) = try ends.say(.request(WireRequest(id: 1, event: "x", payload: pretty)), from: .client)
        let flat = SocketPayload(json: "{   \"a\": \"é\"  }")
        #expect(signals == [.request(WireRequest(id: 1, event: "x", payload: flat))])
        #expect(try ends.say(.open(pretty), from: .client).signals == [.open(flat)])
    }

    @Test(arguments: ["", "{", "[]", "7", "null", "{}}", "{}\n[]", #"{"id":1 "rpc":{}}"#, #"{"push":{"a" 1}}"#])
    func invalidMessagesAreRejected(text: String) {
        for role in [WebSocketRole.client, .server] {
            var machine = SocketWire.centrifuge.makeMachine(role)
            let error = #expect(throws: NetError.self) { try machine.decode(.text(text)) }
            #expect(error?.code == .decoding)
            #expect(error?.message.contains("wire protocol centrifuge") == true)
            #expect(throws: NetError.self) { try machine.decode(.binary(Bytes([1]))) }
        }
        var server = SocketWire.centrifuge.makeMachine(.server)
        for text in [#"{"rpc":{}}"#, #"{"id":"1","rpc":{}}"#, #"{"id":4294967296,"rpc":{}}"#, #"{"id":-1,"rpc":{}}"#] {
            #expect(throws: NetError.self) { try server.decode(.text(text)) }
        }
    }

    @Test func unsupportedSignalsAreRejected() throws {
        let payload = SocketPayload(json: "{}")
        let bytes = SocketPayload(bytes: Bytes([1]))
        WirePairOfEnds(.centrifuge).refuses([
            .cancel(1), .subscribe(1, payload), .unsubscribe(1), .event(1, payload), .completed(1, nil), .subscribed(1),
            .request(WireRequest(id: "a", event: "x")), .request(WireRequest(id: 0, event: "x")),
            .request(WireRequest(id: 4_294_967_294, event: "x")), .request(WireRequest(event: "x")),
            .request(WireRequest(id: 1, event: "x", topic: "c")), .request(WireRequest(event: "", topic: "c")),
            .request(WireRequest(id: 1, event: "x", payload: bytes)), .join(WireJoin(id: "a", topic: "c")),
            .join(WireJoin(id: 1, topic: "c", payload: bytes)), .leave("a", topic: "c"), .opened(WireOpened()),
            .reply(WireReply(id: "a", .success(nil))), .reply(WireReply(id: 1, topic: "c", .success(Self.payload))),
            .reply(WireReply(id: 1, .failure(SocketFailure("a", details: bytes)))), .push(WirePush(event: "x")),
            .push(WirePush(event: "x", topic: "c")), .push(WirePush(event: "", payload: bytes, topic: "c")),
            .push(WirePush(event: "join")), .joined(WireJoined(id: 1, topic: "c", payload: bytes)),
            .joined(WireJoined(id: 1, topic: "c", missed: [WirePush(event: "x", topic: "c")])),
        ])
        var client = SocketWire.centrifuge.makeMachine(.client)
        for payload in [SocketPayload(json: "[1]"), SocketPayload(json: "{"), bytes] {
            let error = #expect(throws: NetError.self) { try client.encode(.open(payload)) }
            #expect(error?.code == .encoding)
        }
    }

    /// A rejected join is forgotten: a reply with its ID is then that of a request.
    @Test func rejectedJoinsAreForgotten() throws {
        var client = SocketWire.centrifuge.makeMachine(.client)
        let join = WireJoin(id: 1, topic: "c", payload: SocketPayload(bytes: Bytes([1])))
        #expect(throws: NetError.self) { try client.encode(.join(join)) }
        #expect(
            try client.decode(.text(#"{"id":1,"rpc":{}}"#)).signals == [.reply(WireReply(id: 1, .success(nil)))])
    }

    @Test(arguments: [-5, 0, 1, 11, 12]) func aShortHeartbeatIsAtLeastASecond(seconds: Int) throws {
        var ends = WirePairOfEnds(.centrifuge)
        _ = try ends.say(.open(nil), from: .client)
        let heartbeat = Duration.seconds(seconds)
        #expect(
            try ends.say(.opened(WireOpened(heartbeat: heartbeat)), from: .server).signals == [
                .opened(WireOpened(heartbeat: max(.seconds(11), heartbeat)))
            ])
    }

    @Test func damageIsSurvived() {
        WirePairOfEnds(.centrifuge).survivesDamage(to: [
            #"{"id":1,"connect":{"token":"t","data":{},"ping":25,"pong":true,"subs":{"c":{"publications":[{}]}}}}"#,
            "{\"id\":2,\"subscribe\":{\"channel\":\"c\",\"recover\":true,\"offset\":1}}\n{\"id\":3,\"rpc\":{\"data\":1}}",
            #"{"id":3,"error":{"code":103,"message":"permission denied","temporary":true}}"#,
            #"{"push":{"channel":"c","pub":{"data":1,"offset":9}}}"#,
            #"{"push":{"disconnect":{"code":3500,"reason":"x","reconnect":true}}}"#,
        ])
    }
}
