import NetCore
import NetSocketCore
import Testing

/// The results of either end of Centrifuge for foreign texts.
struct CentrifugeReadingTests {
    private func client(_ signals: WireSignal..., reads texts: String...) throws -> [WireSignal] {
        var client = SocketWire.centrifuge.makeMachine(.client)
        for signal in signals { _ = try client.encode(signal) }
        return try texts.flatMap { try client.decode(.text($0)).signals }
    }

    private func server(reads text: String) throws -> WireReading {
        var server = SocketWire.centrifuge.makeMachine(.server)
        return try server.decode(.text(text))
    }

    @Test(arguments: [
        (#"{"code":99}"#, true), (#"{"code":100}"#, false), (#"{"code":101}"#, false), (#"{"code":108}"#, false),
        (#"{"code":109}"#, true), (#"{"code":110}"#, false), ("{}", true), (#"{"code":500,"temporary":true}"#, true),
        (#"{"code":500,"temporary":false}"#, false),
    ])
    func aRefusedOpeningIsFinalUnlessItIsTemporary(error: String, mayReconnect: Bool) throws {
        let signals = try client(.open(nil), reads: #"{"id":4294967295,"error":\#(error)}"#)
        guard case .end(let end)? = signals.first else {
            Issue.record("\(signals)")
            return
        }
        #expect(end.mayReconnect == mayReconnect)
        #expect(signals.count == 1)
    }

    @Test(
        arguments: [
            ("0", nil), ("1", 11), ("25", 35), ("4294967295", 4_294_967_305), ("4294967296", nil), ("-1", nil),
            ("null", nil),
            ("\"25\"", 35), ("\"x\"", nil),
        ] as [(String, Int?)])
    func theIntervalOfPingsHasTenSecondsOfGrace(ping: String, silence: Int?) throws {
        let signals = try client(.open(nil), reads: #"{"id":4294967295,"connect":{"ping":\#(ping)}}"#)
        #expect(signals == [.opened(WireOpened(heartbeat: silence.map { .seconds($0) }))])
    }

    @Test(
        arguments: [
            ("{}", nil, nil), (#"{"positioned":true}"#, "", 0), (#"{"recoverable":true}"#, "", 0),
            (#"{"epoch":"e"}"#, "e", 0),
            (#"{"epoch":"e","offset":7}"#, "e", 7), (#"{"offset":7}"#, nil, nil),
            (#"{"positioned":false,"offset":7}"#, nil, nil),
            (#"{"epoch":null}"#, nil, nil),
        ] as [(String, String?, UInt64?)])
    func aChannelHasAPositionWhereItSaysSo(answer: String, epoch: String?, offset: UInt64?) throws {
        let signals = try client(.join(WireJoin(id: 1, topic: "c")), reads: #"{"id":1,"subscribe":\#(answer)}"#)
        var position: ChannelPosition?
        if let epoch, let offset { position = ChannelPosition(epoch: epoch, offset: offset) }
        #expect(signals == [.joined(WireJoined(id: 1, topic: "c", position: position))])
    }

    @Test func missedPublicationsAreReadIndividually() throws {
        let text = #"{"id":1,"subscribe":{"publications":[{"data":1,"offset":3},7,{},null,{"offset":"5"}]}}"#
        let missed = [
            WirePush(event: "", payload: SocketPayload(json: "1"), topic: "c", offset: 3),
            WirePush(event: "", topic: "c"),
            WirePush(event: "", topic: "c", offset: 5),
        ]
        #expect(
            try client(.join(WireJoin(id: 1, topic: "c")), reads: text)
                == [.joined(WireJoined(id: 1, topic: "c", missed: missed))])
    }

    @Test(arguments: [
        (
            #"{"push":{"message":{"data":1},"channel":"c","pub":{"data":2}}}"#,
            WirePush(event: "", payload: SocketPayload(json: "1"))
        ),
        (
            #"{"push":{"channel":"c","join":{"info":{"user":"u"}}}}"#,
            WirePush(event: "join", payload: SocketPayload(json: #"{"user":"u"}"#), topic: "c")
        ), (#"{"push":{"channel":"c","leave":{}}}"#, WirePush(event: "leave", topic: "c")),
        (
            #"{"push":{"channel":"c","pub":{"data":null}}}"#,
            WirePush(event: "", payload: SocketPayload(json: "null"), topic: "c")
        ),
    ])
    func pushesAreRead(text: String, push: WirePush) throws {
        #expect(try client(reads: text) == [.push(push)])
    }

    @Test(
        arguments: [
            (#"{"code":2000,"reason":""}"#, nil), (#"{"code":2000,"reason":"bye"}"#, SocketFailure("2000", "bye")),
            (#"{"code":2001,"reason":""}"#, SocketFailure("2001")),
            (#"{"code":"7","reason":"r"}"#, SocketFailure("7", "r")),
            ("{}", SocketFailure("error")), (#"{"name":"n","code":400}"#, SocketFailure("n")),
            (#"{"code":1.5}"#, SocketFailure("1.5")),
            (#"{"code":1,"details":{"a":1}}"#, SocketFailure("1", details: SocketPayload(json: #"{"a":1}"#))),
        ] as [(String, SocketFailure?)])
    func anUnsubscriptionSaysWhy(body: String, failure: SocketFailure?) throws {
        #expect(
            try client(reads: #"{"push":{"channel":"c","unsubscribe":\#(body)}}"#) == [.left(nil, topic: "c", failure)])
    }

    @Test func anEndWithoutACodeMayBeFollowedByAnotherConnection() throws {
        #expect(try client(reads: #"{"push":{"disconnect":{}}}"#) == [.end(WireEnd(SocketFailure("error")))])
    }

    @Test(arguments: [
        (#"{"id":1,"rpc":{"data":1},"error":{"code":7}}"#, WireReply(id: 1, .failure(SocketFailure("7")))),
        (#"{"id":1}"#, WireReply(id: 1, .success(nil))),
        (#"{"id":1,"foo":{"data":2}}"#, WireReply(id: 1, .success(SocketPayload(json: "2")))),
        (
            #"{"id":1,"foo":{"data":2},"rpc":{"data":3},"send":{"data":4}}"#,
            WireReply(id: 1, .success(SocketPayload(json: "3")))
        ),
        (#"{"id":1,"foo":{"data":2},"bar":{"data":3}}"#, WireReply(id: 1, .success(SocketPayload(json: "2")))),
        (#"{"id":1,"rpc":7,"error":null}"#, WireReply(id: 1, .success(nil))),
        (
            #"{"id":1,"error":{"code":7,"temporary":true,"details":[1]}}"#,
            WireReply(id: 1, .failure(SocketFailure("7", details: SocketPayload(json: "[1]"))))
        ),
    ])
    func aReplyIsReadWhateverElseItHas(text: String, reply: WireReply) throws {
        #expect(try client(reads: text) == [.reply(reply)])
    }

    @Test func aPingIsAnsweredWhoeverSentIt() throws {
        #expect(try client(reads: #"{"id":5,"ping":{}}"#) == [.alive(5)], "nobody remembers it")
        #expect(try client(reads: #"{"id":4294967294,"ping":{}}"#) == [.alive(nil)])
        #expect(try client(.heartbeat(nil), reads: #"{"id":4294967294,"error":{"code":108}}"#) == [.alive(nil)])
        #expect(try client(.heartbeat(6), reads: #"{"id":6,"rpc":{}}"#) == [.alive(6)])
        let plain = try server(reads: #"{"id":4294967294,"ping":{}}"#)
        #expect(plain == WireReading([.heartbeat(nil)], responses: [.text(#"{"id":4294967294,"ping":{}}"#)]))
        let named = try server(reads: #"{"id":5,"ping":{}}"#)
        #expect(named == WireReading([.heartbeat(5)], responses: [.text(#"{"id":5,"ping":{}}"#)]))
    }

    // MARK: The server

    @Test(
        arguments: [
            (#""token":"t","other":1,"data":2"#, #"{"token":"t","data":2}"#),
            (#""recoverable":true"#, #"{"recoverable":true}"#),
            (#""data":{"a":1},"other":true"#, #"{"a":1}"#), (#""other":true"#, nil),
            (#""data":null,"positioned":null"#, #"{"data":null,"positioned":null}"#),
        ] as [(String, String?)])
    func theSettingsOfAJoinAreItsPayload(members: String, payload: String?) throws {
        let reading = try server(reads: #"{"id":1,"subscribe":{"channel":"c",\#(members)}}"#)
        #expect(
            reading.signals == [.join(WireJoin(id: 1, topic: "c", payload: payload.map { SocketPayload(json: $0) }))])
    }

    @Test(
        arguments: [
            ("", nil), (#","recover":false,"epoch":"e","offset":1"#, nil),
            (#","recover":true"#, ChannelPosition(epoch: "", offset: 0)),
            (#","recover":true,"epoch":"e","offset":"7""#, ChannelPosition(epoch: "e", offset: 7)),
            (#","recover":1"#, nil),
        ] as [(String, ChannelPosition?)])
    func recoveryIsAskedFor(members: String, position: ChannelPosition?) throws {
        let reading = try server(reads: #"{"id":1,"subscribe":{"channel":"c"\#(members)}}"#)
        #expect(reading.signals == [.join(WireJoin(id: 1, topic: "c", position: position))])
    }

    @Test(arguments: [
        (#"{"id":1,"rpc":{}}"#, WireRequest(id: 1, event: "")),
        (
            #"{"id":1,"rpc":{"method":"m","data":7,"channel":"c"}}"#,
            WireRequest(id: 1, event: "m", payload: SocketPayload(json: "7"))
        ),
        (#"{"id":4294967295,"rpc":{"method":7}}"#, WireRequest(id: 4_294_967_295, event: "")),
        (
            #"{"id":1,"publish":{"channel":"c","data":7}}"#,
            WireRequest(id: 1, event: "", payload: SocketPayload(json: "7"), topic: "c")
        ),
        (#"{"id":1,"send":{"data":7}}"#, WireRequest(event: "", payload: SocketPayload(json: "7"))),
        (#"{"send":{}}"#, WireRequest(event: "")),
    ])
    func requestsAreRead(text: String, request: WireRequest) throws {
        #expect(try server(reads: text) == WireReading([.request(request)]))
    }

    @Test(arguments: [
        (#"{"id":7,"subscribe":{}}"#, 107), (#"{"id":7,"unsubscribe":{"channel":1}}"#, 107),
        (#"{"id":7,"publish":{}}"#, 107),
        (#"{"id":7,"presence":{}}"#, 108), (#"{"id":7}"#, 108), (#"{"id":7,"rpc":1}"#, 108),
    ])
    func invalidAndUnsupportedCommandsAreAnsweredWithAnError(text: String, code: Int) throws {
        let reading = try server(reads: text)
        #expect(reading.signals.isEmpty)
        #expect(reading.responses.count == 1)
        #expect(reading.responses.first?.text?.hasPrefix(#"{"id":7,"error":{"code":\#(code),"#) == true)
    }

    /// Blank lines aren't messages.
    @Test func linesWithoutAnythingAreSkipped() throws {
        #expect(try server(reads: "\n\r\n \t\n{}\n\n").signals == [.alive(nil)])
        #expect(try server(reads: "\n").signals.isEmpty)
        #expect(throws: NetError.self) { try server(reads: "\n!\n") }
        #expect(throws: NetError.self) { try server(reads: "{}\n{\"rpc\":{}}") }
    }

    @Test func theOpeningMessageIsRead() throws {
        #expect(try server(reads: #"{"id":1,"connect":{}}"#).signals == [.open(nil)])
        #expect(
            try server(reads: #"{"id":1,"connect":{"token":"t"}}"#).signals == [
                .open(SocketPayload(json: #"{"token":"t"}"#))
            ])
    }
}
