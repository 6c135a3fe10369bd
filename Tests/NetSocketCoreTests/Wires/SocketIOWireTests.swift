import NetCore
import NetSocketCore
import Testing

/// Socket.IO v5, with the examples of its protocol document.
struct SocketIOWireTests {
    private static let payload = SocketPayload(json: #"{"text":"he said \"hi\"","n":[1,{"a":null}]}"#)
    private static let failure = SocketFailure("E001", "Not authorized", details: SocketPayload(json: "[1]"))

    /// Returns both ends after the server's first message.
    private func greetedEnds() throws -> WirePairOfEnds {
        var ends = WirePairOfEnds(.socketIO)
        for message in ends.server.greet(as: "lv_V") {
            #expect(try ends.client.decode(message) == WireReading())
        }
        return ends
    }

    private func decoded(_ text: String, _ role: WebSocketRole) throws -> WireReading {
        var machine = SocketWire.socketIO.makeMachine(role)
        return try machine.decode(.text(text))
    }

    @Test func eachEndReadsWhatTheOtherOneSays() throws {
        var ends = try greetedEnds()
        try ends.converse([
            (.client, .open(nil)), (.client, .open(SocketPayload(json: #"{"token":"123"}"#))),
            (.server, .opened(WireOpened(heartbeat: .seconds(45), session: "wZX3"))),
            (
                .server,
                .opened(
                    WireOpened(
                        payload: SocketPayload(json: #"{"sid":"wZX3","pid":"p"}"#), heartbeat: .seconds(45),
                        session: "wZX3"))
            ), (.server, .heartbeat(nil)), (.client, .alive(nil)),
            (.server, .push(WirePush(event: "chat", payload: Self.payload))), (.server, .push(WirePush(event: "é\n"))),
            (.server, .push(WirePush(event: "in", payload: SocketPayload(json: "[1,2]"), topic: "/admin"))),
            (.client, .request(WireRequest(event: "no.reply", payload: SocketPayload(json: "null")))),
            (.client, .request(WireRequest(event: "no.reply", topic: "/admin"))),
            (.server, .end(WireEnd(Self.failure, mayReconnect: false))),
            (.server, .end(WireEnd(SocketFailure("x"), mayReconnect: false))),
            (.server, .end(WireEnd(mayReconnect: false))), (.client, .end(WireEnd())),
        ])
        for role in [WebSocketRole.client, .server] {
            try ends.converse([
                (role, .request(WireRequest(id: 1, event: "rename", payload: Self.payload))),
                (role, .request(WireRequest(id: 0, event: "x", topic: "/admin"))),
                (role, .reply(WireReply(id: 1, .success(Self.payload)))),
                (role, .reply(WireReply(id: 1, .success(nil)))),
                (role, .reply(WireReply(id: 0, topic: "/admin", .success(SocketPayload(json: "[]"))))),
                (role, .reply(WireReply(id: 2, .failure(Self.failure)))),
                (role, .reply(WireReply(id: 2, .failure(SocketFailure("x"))))),
            ])
        }
    }

    @Test func namespacesAreChannels() throws {
        var ends = try greetedEnds()
        let auth = SocketPayload(json: #"{"token":"t"}"#)
        try ends.converse([(.client, .open(nil))])
        let (joined, texts) = try ends.say(.join(WireJoin(id: 7, topic: "/admin", payload: auth)), from: .client)
        #expect(joined == [.join(WireJoin(id: "/admin", topic: "/admin", payload: auth))])
        #expect(texts == [#"40/admin,{"token":"t"}"#])
        let (answer, answers) = try ends.say(.joined(WireJoined(id: "/admin", topic: "/admin")), from: .server)
        #expect(answers == [#"40/admin,{"sid":"lv_V"}"#])
        let sid = SocketPayload(json: #"{"sid":"lv_V"}"#)
        #expect(answer == [.joined(WireJoined(id: 7, topic: "/admin", payload: sid))])

        let (left, _) = try ends.say(.leave(8, topic: "/admin"), from: .client)
        #expect(left == [.leave("/admin", topic: "/admin")])
        let (end, ending) = try ends.say(.left("/admin", topic: "/admin", nil), from: .server)
        #expect(end == [.left(8, topic: "/admin", nil)])
        #expect(ending == ["41/admin,"])
        try ends.converse([(.server, .left(nil, topic: "/admin", nil))])

        _ = try ends.say(.join(WireJoin(id: "/b", topic: "/b")), from: .client)
        try ends.converse([(.server, .joinRefused("/b", topic: "/b", Self.failure))])
        // These weren't requested.
        #expect(try ends.client.decode(.text(#"40/b,{"sid":"x"}"#)) == WireReading())
        #expect(try ends.client.decode(.text(#"44/b,{"message":"x"}"#)) == WireReading())
    }

    /// The behavior of a Socket.IO client that doesn't use the default namespace.
    @Test func aNamespaceOpensTheConnectionToo() throws {
        var ends = try greetedEnds()
        let auth = SocketPayload(json: #"{"token":"t"}"#)
        let join = WireSignal.join(WireJoin(id: "/admin", topic: "/admin", payload: auth))
        #expect(try ends.say(join, from: .client).signals == [.open(auth), join])
        #expect(try ends.say(.opened(WireOpened(session: "a1")), from: .server).texts == [])
        let joined = WireSignal.joined(WireJoined(id: "/admin", topic: "/admin"))
        #expect(try ends.say(joined, from: .server).texts == [#"40/admin,{"sid":"a1"}"#])
        // The next one is a join, and the default namespace isn't opened a second time.
        try ends.converse([(.client, .join(WireJoin(id: "/b", topic: "/b")))])
        let (signals, texts) = try ends.say(.open(nil), from: .client)
        #expect(signals == [])
        #expect(texts == ["40", #"40{"sid":"a1"}"#])
        try ends.converse([(.client, .open(nil))])
    }

    @Test func aConnectionThatANamespaceOpensIsRefusedThere() throws {
        var ends = try greetedEnds()
        _ = try ends.say(.join(WireJoin(id: "/admin", topic: "/admin")), from: .client)
        let end = WireSignal.end(WireEnd(SocketFailure("E1", "no"), mayReconnect: false))
        #expect(
            try ends.say(end, from: .server).texts == [#"44/admin,{"message":"no","data":{"code":"E1"}}"#])
    }

    /// Servers don't confirm a leave, so it isn't taken as the reason for an event after another join.
    @Test func aLeaveIsForgottenByAnotherJoin() throws {
        var ends = try greetedEnds()
        _ = try ends.say(.leave(8, topic: "/admin"), from: .client)
        _ = try ends.say(.join(WireJoin(id: 9, topic: "/admin")), from: .client)
        let (joined, _) = try ends.say(.joined(WireJoined(id: "/admin", topic: "/admin")), from: .server)
        #expect(joined.count == 1)
        try ends.converse([(.server, .left(nil, topic: "/admin", nil))])
    }

    @Test func theTextsAreTheProtocols() throws {
        var client = SocketWire.socketIO.makeMachine(.client)
        var server = SocketWire.socketIO.makeMachine(.server)
        #expect(
            server.greet(as: "lv_V") == [
                .text(
                    #"0{"sid":"lv_V","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}"#)
            ])
        #expect(client.greet(as: "x") == [])
        let texts: [(WebSocketRole, WireSignal, String)] = [
            (.client, .open(nil), "40"),
            (.client, .open(SocketPayload(json: #" {"token":"123"}"#)), #"40{"token":"123"}"#),
            (.server, .opened(WireOpened(session: "oSO0")), #"40{"sid":"oSO0"}"#),
            (.client, .join(WireJoin(id: 1, topic: "/admin")), "40/admin,"),
            (.client, .request(WireRequest(event: "foo")), #"42["foo"]"#),
            (.client, .request(WireRequest(id: 12, event: "foo")), #"4212["foo"]"#),
            (.server, .push(WirePush(event: "bar", topic: "/admin")), #"42/admin,["bar"]"#),
            (.server, .request(WireRequest(id: 13, event: "foo", topic: "/admin")), #"42/admin,13["foo"]"#),
            (.server, .reply(WireReply(id: 12, .success(nil))), "4312[]"),
            (
                .client, .reply(WireReply(id: 13, topic: "/admin", .success(SocketPayload(json: "\"bar\"")))),
                #"43/admin,13["bar"]"#
            ), (.client, .end(WireEnd()), "41"), (.server, .heartbeat(nil), "2"),
            (
                .server, .end(WireEnd(SocketFailure("E1", "no"), mayReconnect: false)),
                #"44{"message":"no","data":{"code":"E1"}}"#
            ),
        ]
        for (role, signal, text) in texts {
            let found = role == .client ? try client.encode(signal) : try server.encode(signal)
            #expect(found == [.text(text)])
        }
        // python-socketio doesn't reconnect after the end of Engine.IO; after a closing handshake without it, it does.
        #expect(try server.encode(.end(WireEnd(SocketFailure("E1", "restarting")))).isEmpty)
    }

    @Test func textsOfPeersAreRead() throws {
        var client = SocketWire.socketIO.makeMachine(.client)
        #expect(try client.decode(.text(#"0{"sid":"x","pingInterval":300,"pingTimeout":200}"#)) == WireReading())
        #expect(
            try client.decode(.text(#"40{"sid":"wZX3oN0bSVIhsaknAAAI"}"#)).signals == [
                .opened(WireOpened(heartbeat: .milliseconds(500), session: "wZX3oN0bSVIhsaknAAAI"))
            ])
        #expect(try client.decode(.text("2")) == WireReading([.heartbeat(nil)], responses: [.text("3")]))
        #expect(try client.decode(.text("6")) == WireReading())
        let several = try client.decode(.text(#"42["update", 1, "2", {"3":[true]}]"#)).signals
        #expect(
            several == [.push(WirePush(event: "update", payload: SocketPayload(json: #"[1,"2",{"3":[true]}]"#)))])
        let join = WireSignal.join(WireJoin(id: "/custom", topic: "/custom"))
        #expect(try decoded("40/custom", .server).signals == [.open(nil), join])
        #expect(try decoded("41/custom", .server).signals == [.leave("/custom", topic: "/custom")])
        #expect(try decoded("40/,", .server).signals == [.open(nil)])
        for role in [WebSocketRole.client, .server] {
            #expect(try decoded("1", role).signals == [.end(WireEnd())])
        }
    }

    @Test(arguments: [
        (#"{"message":"Not authorized"}"#, SocketFailure("connect_error", "Not authorized")),
        (#""Not authorized""#, SocketFailure("connect_error", "Not authorized")), ("", SocketFailure("connect_error")),
        (
            #"{"message":"m","data":{"code":"E1","label":"x"}}"#,
            SocketFailure("E1", "m", details: SocketPayload(json: #"{"code":"E1","label":"x"}"#))
        ), (#"{"message":"m","data":7}"#, SocketFailure("connect_error", "m", details: SocketPayload(json: "7"))),
    ]) func refusalsOfEachFormAreRead(data: String, failure: SocketFailure) throws {
        #expect(try decoded("44" + data, .client).signals == [.end(WireEnd(failure, mayReconnect: false))])
    }

    /// Only an argument of exactly this form is a failure.
    @Test(arguments: [
        #"{"error":"x"}"#, #"{"error":{"code":7,"message":"m"}}"#, #"{"error":{"code":"c","message":"m"},"ok":false}"#,
        #"{"error":{"code":"c"}}"#,
    ]) func otherAcknowledgementsAreSuccesses(argument: String) throws {
        #expect(
            try decoded("431[\(argument)]", .client).signals == [
                .reply(WireReply(id: 1, .success(SocketPayload(json: argument))))
            ])
    }

    @Test func bytesAreAttachments() throws {
        var ends = try greetedEnds()
        let bytes = SocketPayload(bytes: Bytes([1, 2, 3, 4]))
        let (signals, texts) = try ends.say(
            .request(WireRequest(id: 14, event: "baz", payload: bytes, topic: "/admin")), from: .client)
        #expect(texts == [#"451-/admin,14["baz",{"_placeholder":true,"num":0}]"#, "binary"])
        #expect(signals == [.request(WireRequest(id: 14, event: "baz", payload: bytes, topic: "/admin"))])
        try ends.converse([
            (.server, .push(WirePush(event: "baz", payload: bytes))),
            (.server, .reply(WireReply(id: 14, topic: "/admin", .success(bytes)))),
        ])
    }

    /// Attachments of an unreadable event aren't separate errors.
    @Test func otherAttachmentsAreSkipped() throws {
        var client = SocketWire.socketIO.makeMachine(.client)
        let placeholder = #"{"_placeholder":true,"num":0}"#
        for text in [#"452-["baz",\#(placeholder),\#(placeholder)]"#, #"452-["baz",{"a":\#(placeholder)}]"#] {
            #expect(throws: NetError.self) { try client.decode(.text(text)) }
            for _ in 0..<2 { #expect(try client.decode(.binary(Bytes([1]))) == WireReading()) }
            #expect(throws: NetError.self) { try client.decode(.binary(Bytes([1]))) }
        }
        #expect(try client.decode(.text(#"451-["baz",\#(placeholder)]"#)) == WireReading())
        #expect(try client.decode(.text(#"42["next"]"#)).signals == [.push(WirePush(event: "next"))])
        #expect(throws: NetError.self) { try client.decode(.binary(Bytes([1]))) }
    }

    @Test(arguments: [
        "", "x", "4", "4x", "47", "42", "42{}", "42[]", "42[7]", #"42["a""#, "43[]", #"4399999999999999999999[]"#,
        "431{}", #"45["a"]"#, "451-", "451-[", #"451-["a"]"#, "40{", "5", "é",
    ]) func malformedPacketsAreRejected(text: String) {
        for role in [WebSocketRole.client, .server] {
            let error = #expect(throws: NetError.self) { try decoded(text, role) }
            #expect(error?.code == .decoding)
            #expect(error?.message.contains("socket.io-5") == true)
        }
    }

    @Test func unexpectedPacketsAreRejected() {
        for text in ["0{}", "2", #"44{"message":"m"}"#] {
            #expect(throws: NetError.self) { try decoded(text, .server) }
        }
        for text in ["0", "0[]", "3"] { #expect(throws: NetError.self) { try decoded(text, .client) } }
    }

    @Test func unsupportedSignalsAreRejected() throws {
        let payload = SocketPayload(json: "{}")
        let bytes = SocketPayload(bytes: Bytes([1]))
        WirePairOfEnds(.socketIO).refuses([
            .cancel(1), .subscribe(1, payload), .subscribed(1), .event(1, payload), .completed(1, nil), .unsubscribe(1),
            .request(WireRequest(id: "a", event: "x")), .reply(WireReply(id: "a", .success(nil))),
            .reply(WireReply(id: 1, .failure(SocketFailure("x", details: bytes)))), .open(bytes),
            .join(WireJoin(id: 1, topic: "/t", payload: bytes)),
        ])
        var client = SocketWire.socketIO.makeMachine(.client)
        var server = SocketWire.socketIO.makeMachine(.server)
        for signal in [WireSignal.heartbeat(nil), .push(WirePush(event: "x"))] {
            let error = #expect(throws: NetError.self) { try client.encode(signal) }
            #expect(error?.code == .unsupported)
        }
        for signal in [
            WireSignal.join(WireJoin(id: 1, topic: "admin")), .join(WireJoin(id: 1, topic: "/")),
            .leave(1, topic: "/a,b"),
            .open(SocketPayload(json: "7")), .request(WireRequest(event: "disconnect")),
        ] {
            let error = #expect(throws: NetError.self) { try client.encode(signal) }
            #expect(error?.code == .encoding)
        }
        #expect(throws: NetError.self) { try server.encode(.request(WireRequest(event: "x"))) }
        // A join that wasn't written isn't remembered.
        _ = try? client.encode(.join(WireJoin(id: 1, topic: "/t", payload: bytes)))
        #expect(try client.decode(.text(#"40/t,{"sid":"x"}"#)) == WireReading())
        #expect(
            SocketWire.socketIO.features == [.requests, .notifications, .pushes, .uniformPushes, .channels, .opening])
    }

    @Test func damageIsSurvived() {
        WirePairOfEnds(.socketIO).survivesDamage(to: [
            #"0{"sid":"x","pingInterval":18446744073709551615,"pingTimeout":18446744073709551615}"#,
            #"40/admin,{"sid":"x"}"#, #"42/admin,13["rename",{"_placeholder":true},"\n"]"#, #"4312["bar"]"#,
            #"451-14["foo",{"_placeholder":true,"num":0}]"#, #"44{"message":"m","data":{"code":"c"}}"#, "41/admin,",
        ])
    }
}
