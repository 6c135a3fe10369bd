import NetCore
import NetSocketCore
import Testing

/// Texts of peers with different encodings.
struct WireDetailTests {
    private func read(
        _ wire: SocketWire, _ role: WebSocketRole, _ texts: String..., after signals: [WireSignal] = []
    ) throws -> [WireSignal] {
        var machine = wire.makeMachine(role)
        for signal in signals { _ = try machine.encode(signal) }
        return try texts.flatMap { try machine.decode(.text($0)).signals }
    }

    private func written(_ wire: SocketWire, _ role: WebSocketRole, _ signals: WireSignal...) throws -> [String?] {
        var machine = wire.makeMachine(role)
        return try signals.flatMap { try machine.encode($0).map(\.text) }
    }

    // MARK: JSON

    @Test(
        arguments: [
            (#""status":"error","payload":{"error":{"code":"c","message":"m","details":[1]}}"#, "c", "m", "[1]"),
            (#""status":"error","payload":{"code":7,"reason":"r"}"#, "7", "r", nil),
            (#""status":"error""#, "error", "", nil),
            (#""status":"error","payload":{"error":"text"}"#, "error", "text", nil),
            (#""status":"error","payload":{"error":{"message":7,"other":1}}"#, "error", "", nil),
            (#""status":"error","payload":7"#, "error", "", nil),
            (#""status":"error","payload":{"error":{"code":null}}"#, "null", "", nil),
        ] as [(String, String, String, String?)])
    func failuresOfEachFormAreRead(members: String, code: String, message: String, details: String?) throws {
        let failure = SocketFailure(code, message, details: details.map { SocketPayload(json: $0) })
        #expect(
            try read(.json, .client, #"{"event":"e","requestId":"1",\#(members)}"#)
                == [.reply(WireReply(id: 1, event: "e", .failure(failure)))])
        #expect(
            try read(.json, .client, #"{"event":"channel.left","channel":"c",\#(members)}"#)
                == [.left(nil, topic: "c", failure)])
    }

    @Test func payloadsAreNotMistakenForFailures() throws {
        #expect(
            try read(.json, .client, #"{"event":"channel.left","channel":"c","payload":{"error":{"code":"a"}}}"#)
                == [.left(nil, topic: "c", SocketFailure("a"))])
        #expect(
            try read(.json, .client, #"{"event":"channel.left","channel":"c","payload":{"code":"a"}}"#)
                == [.left(nil, topic: "c", nil)])
        #expect(
            try read(.json, .client, #"{"event":"channel.left","channel":"c","status":"ok","payload":{"error":"a"}}"#)
                == [.left(nil, topic: "c", nil)])
        #expect(
            try read(.json, .client, #"{"event":"channel.left","payload":{"a":1}}"#)
                == [.push(WirePush(event: "channel.left", payload: SocketPayload(json: #"{"a":1}"#)))])
        let payload = SocketPayload(json: #"{"error":{"code":"a"}}"#)
        #expect(
            try read(.json, .client, #"{"event":"e","requestId":"1","payload":{"error":{"code":"a"}}}"#)
                == [.reply(WireReply(id: 1, event: "e", .success(payload)))])
    }

    @Test func theFirstOfMembersThatRepeatCounts() throws {
        let text =
            #"{"event":"a","event":"b","requestId":null,"requestId":7,"requestId":8,"channel":1,"channel":"c","#
            + #""channel":"d","payload":1,"payload":2}"#
        let payload = SocketPayload(json: "1")
        #expect(
            try read(.json, .server, text) == [
                .request(WireRequest(id: .text("7"), event: "a", payload: payload, topic: "c"))
            ])
    }

    @Test(arguments: [
        (#"{"event":"channel.join","requestId":"1","payload":{"topic":"a"},"channel":"b"}"#, "a"),
        (#"{"event":"channel.join","requestId":"1","payload":{"topic":7},"channel":"b"}"#, "b"),
        (#"{"event":"channel.join","requestId":"1","channel":"b"}"#, "b"),
    ])
    func theTopicOfAJoinIsThatOfItsPayload(text: String, topic: String) throws {
        guard case .join(let join)? = try read(.json, .server, text).first else {
            Issue.record("no join")
            return
        }
        #expect(join.topic == topic)
        #expect(join.id == 1)
        let leave = text.replacing("channel.join", with: "channel.leave")
        #expect(try read(.json, .server, leave) == [.leave(1, topic: topic)])
    }

    @Test(
        arguments: [
            (#"{"event":"channel.join","channel":"b"}"#, nil, "requestId"),
            (#"{"event":"channel.leave","requestId":"1"}"#, #""requestId":"1""#, "topic"),
            (#"{"event":"channel.join","requestId":1,"payload":{"topic":7}}"#, #""requestId":1,"#, "topic"),
        ] as [(String, String?, String)])
    func aJoinWithoutAnIDOrATopicIsRefused(_ text: String, _ id: String?, _ missing: String) throws {
        var machine = SocketWire.json.makeMachine(.server)
        let reading = try machine.decode(.text(text))
        #expect(reading.signals.isEmpty)
        let response = try #require(reading.responses.first?.text)
        #expect(response.contains("no \\\"\(missing)\\\""), "\(response)")
        if let id { #expect(response.contains(id), "\(response)") }
    }

    @Test func endsOfConnectionsAreToldInJSON() throws {
        #expect(try written(.json, .server, .end(WireEnd())) == [])
        #expect(
            try written(.json, .server, .end(WireEnd(SocketFailure("c", "m", details: SocketPayload(json: "7")))))
                == [
                    #"{"event":"error","status":"error","payload":{"error":{"code":"c","message":"m","details":7}}}"#
                ])
        #expect(
            try written(.json, .server, .left(7, topic: "c", nil), .left(7, topic: "c", SocketFailure("a")))
                == [
                    #"{"event":"channel.leave","requestId":"7","channel":"c","status":"ok","payload":{}}"#,
                    #"{"event":"channel.left","channel":"c","payload":{"error":{"code":"a","message":""}}}"#,
                ])
        #expect(
            try written(.json, .server, .reply(WireReply(id: 7, .success(nil))))
                == [#"{"event":"reply","requestId":"7","status":"ok","payload":{}}"#])
    }

    // MARK: Phoenix

    @Test(arguments: [(63, true), (64, true), (65, false)])
    func aShortReasonIsACode(count: Int, isCode: Bool) throws {
        let reason = String(repeating: "r", count: count)
        let response = #"{"reason":"\#(reason)"}"#
        let signals = try read(
            .phoenixV2, .client, #"["1","1","r","phx_reply",{"status":"error","response":\#(response)}]"#,
            after: [.join(WireJoin(id: 1, topic: "r"))])
        let failure = SocketFailure(isCode ? reason : "error", reason, details: SocketPayload(json: response))
        #expect(signals == [.joinRefused(1, topic: "r", failure)])
    }

    @Test(
        arguments: [
            (#"{"code":"a","reason":"m"}"#, "a", "m", nil),
            (#"{"code":"a","reason":"b","message":"c","details":7}"#, "a", "c", true),
            (#"{"code":"a","reason":"a","message":""}"#, "a", "", nil), (#"{"code":"a","other":1}"#, "a", "", true),
            (#"{"message":"m"}"#, "error", "m", true), ("7", "error", "", true), ("[]", "error", "", true),
            (#"{"code":true}"#, "true", "", nil),
        ] as [(String, String, String, Bool?)])
    func theDetailsAreTheResponseUnlessAllIsSaid(response: String, code: String, message: String, isDetail: Bool?)
        throws
    {
        let signals = try read(
            .phoenixV2, .client, #"["1","1","r","phx_reply",{"status":"error","response":\#(response)}]"#,
            after: [.join(WireJoin(id: 1, topic: "r"))])
        let details = isDetail == true ? SocketPayload(json: response) : nil
        #expect(signals == [.joinRefused(1, topic: "r", SocketFailure(code, message, details: details))])
    }

    @Test func moreThanFiveElementsAreRead() throws {
        #expect(
            try read(.phoenixV2, .client, #"[null,null,"t","e",1,2,3]"#)
                == [.push(WirePush(event: "e", payload: SocketPayload(json: "1"), topic: "t"))])
        #expect(
            try read(.phoenixV2, .server, #"[7,8,"t","e",{}]"#)
                == [.request(WireRequest(id: .text("8"), event: "e", payload: SocketPayload(json: "{}"), topic: "t"))])
    }

    @Test func unknownSystemRequestsAndJoinsWithoutRefAreRejected() throws {
        var server = SocketWire.phoenixV2.makeMachine(.server)
        let asked = try server.decode(.text(#"[null,"7","phoenix","other",{}]"#))
        let refusal = #"[null,"7","phoenix","phx_reply",{"status":"error","response":{"reason":"unmatched topic"}}]"#
        #expect(asked == WireReading(responses: [.text(refusal)]))
        #expect(try server.decode(.text(#"[null,null,"phoenix","other",{}]"#)) == WireReading())
        #expect(throws: NetError.self) { try server.decode(.text(#"[null,null,"r","phx_join",{}]"#)) }
        #expect(throws: NetError.self) { try server.decode(.text(#"[null,null,"r","phx_leave",{}]"#)) }
        #expect(try server.decode(.text(#"["3",null,"r","phx_join",{}]"#)).signals.count == 1)
    }

    @Test func heartbeatsOfPhoenixAreNumbered() throws {
        #expect(
            try written(.phoenixV2, .client, .heartbeat(nil), .heartbeat(5), .heartbeat(nil)) == [
                #"[null,"hb-1","phoenix","heartbeat",{}]"#, #"[null,"5","phoenix","heartbeat",{}]"#,
                #"[null,"hb-3","phoenix","heartbeat",{}]"#,
            ])
    }

    @Test func failuresOfPhoenixHaveAReason() throws {
        for (failure, response) in [
            (SocketFailure("c", "m"), #"{"code":"c","reason":"m"}"#),
            (SocketFailure("c"), #"{"code":"c","reason":"c","message":""}"#),
            (SocketFailure("c", "m", details: SocketPayload(json: "7")), #"{"code":"c","reason":"m","details":7}"#),
        ] {
            #expect(
                try written(.phoenixV2, .server, .joinRefused(1, topic: "t", failure))
                    == [#"["1","1","t","phx_reply",{"status":"error","response":\#(response)}]"#])
        }
    }

    // MARK: JSON-RPC

    @Test(arguments: [
        "0", "-0", "10", "-12", "1.5", "0.5", "1e5", "1E+5", "1.5e-5", "1e05", "-0.0e0", "null", "\"\"",
        "\"0x1\"", "\"1.\"", "\"1.e5\"", "\"e5\"", "\"1e\"", "\"1e+\"", "\"-\"", "\".5\"", "\"+5\"", "\"01\"",
        "\"-01\"", "\"00\"",
        "\"5\"", "\"-5.5e5\"", "\"nul\"", "\"\\\"a\"", "\"\\\"a\\\"\"", "\"1 \"",
    ])
    func anIDIsRepeatedAsItCame(id: String) throws {
        var server = SocketWire.jsonRPC.makeMachine(.server)
        guard case .request(let request)? = try server.decode(.text(#"{"method":"m","id":\#(id)}"#)).signals.first,
            let found = request.id
        else {
            Issue.record("no request")
            return
        }
        #expect(
            try server.encode(.reply(WireReply(id: found, .success(nil))))
                == [.text(#"{"jsonrpc":"2.0","result":null,"id":\#(id)}"#)])
    }

    @Test(
        arguments: [
            ("7", "7"), ("-7", "-7"), ("9223372036854775807", "9223372036854775807"), ("9223372036854775808", nil),
            ("07", nil),
            ("+7", nil), ("-0", nil), ("a", nil), ("", nil), ("1.5", nil),
        ] as [(String, String?)])
    func aCodeIsAnIntegerOrData(code: String, number: String?) throws {
        let reply = WireSignal.reply(WireReply(id: 1, .failure(SocketFailure(code, "m"))))
        let error =
            number.map { #"{"code":\#($0),"message":"m"}"# }
            ?? #"{"code":-32000,"message":"m","data":{"code":"\#(code)"}}"#
        #expect(try written(.jsonRPC, .server, reply) == [#"{"jsonrpc":"2.0","error":\#(error),"id":1}"#])
    }

    @Test(
        arguments: [
            (#"{"id":1,"error":{"code":-32000,"message":"m","data":{"code":"c","details":7}}}"#, "c", "7"),
            (#"{"id":1,"error":{"code":-32001,"message":"m","data":{"code":"c"}}}"#, "-32001", #"{"code":"c"}"#),
            (
                #"{"id":1,"error":{"code":-32000,"message":"m","data":{"code":"c","other":1}}}"#, "-32000",
                #"{"code":"c","other":1}"#
            ),
            (#"{"id":1,"error":{"code":-32000,"message":"m","data":{"details":1}}}"#, "-32000", #"{"details":1}"#),
            (#"{"id":1,"error":{"code":"text","message":"m"}}"#, "text", nil),
            (#"{"id":1,"error":{"message":"m"}}"#, "error", nil),
        ] as [(String, String, String?)])
    func aFailureIsReadFromItsError(text: String, code: String, details: String?) throws {
        let failure = SocketFailure(code, "m", details: details.map { SocketPayload(json: $0) })
        #expect(try read(.jsonRPC, .client, text) == [.reply(WireReply(id: 1, .failure(failure)))])
    }

    @Test func invalidCallsProduceNoSignals() throws {
        for text in [
            #"{"jsonrpc":2.0,"method":"m"}"#, #"{"jsonrpc":null,"method":"m"}"#, #"{"method":"m","params":"x"}"#,
            #"{"result":1}"#, #"{"result":1,"id":[1]}"#,
        ] { #expect(try read(.jsonRPC, .server, text) == []) }
        #expect(
            try read(.jsonRPC, .server, #"{"method":"m","params":null,"id":null}"#)
                == [.request(WireRequest(id: "null", event: "m"))])
        #expect(try read(.jsonRPC, .client, #"{"method":"m","method":"n"}"#) == [.push(WirePush(event: "m"))])
    }

    // MARK: Socket.IO

    @Test(
        arguments: [
            (#"40{"sid":"a"}"#, nil), (#"40{"sid":"a","pid":1}"#, #"{"sid":"a","pid":1}"#),
        ] as [(String, String?)])
    func theAnswerToTheOpeningIsReadWithoutItsSession(text: String, payload: String?) throws {
        guard case .opened(let opened)? = try read(.socketIO, .client, text).first else {
            Issue.record("not opened")
            return
        }
        #expect(opened.payload?.json == payload)
        #expect(opened.session == "a")
        #expect(opened.heartbeat == nil)
    }

    /// A server of Engine.IO 3 connects to the default namespace by itself, and marks binary data differently.
    @Test(arguments: ["40", "40{}", #"40{"pid":1}"#]) func anOldServerIsRefused(_ text: String) throws {
        guard case .end(let end)? = try read(.socketIO, .client, text).first else {
            Issue.record("no end")
            return
        }
        #expect(end.failure?.code == "unsupported_version")
        #expect(end.failure?.message.contains("python-socketio 5") == true)
        #expect(!end.mayReconnect)
    }

    @Test(arguments: [
        ("42[\"e\"]", WireRequest(event: "e")),
        ("420[\"e\",null]", WireRequest(id: 0, event: "e", payload: SocketPayload(json: "null"))),
        ("42/,7[\"e\",1]", WireRequest(id: 7, event: "e", payload: SocketPayload(json: "1"))),
        ("42/a,[\"e\",1,2]", WireRequest(event: "e", payload: SocketPayload(json: "[1,2]"), topic: "/a")),
        ("42/a?b=1,18446744073709551615[\"e\"]", WireRequest(id: .number(.max), event: "e", topic: "/a?b=1")),
    ])
    func packetsAreReadInAllTheirForms(text: String, request: WireRequest) throws {
        #expect(try read(.socketIO, .server, text) == [.request(request)])
    }

    @Test func endsOfSocketIOAreTold() throws {
        #expect(try written(.socketIO, .server, .end(WireEnd(mayReconnect: true))) == [])
        #expect(try written(.socketIO, .server, .end(WireEnd(mayReconnect: false))) == ["41"])
        #expect(try written(.socketIO, .client, .end(WireEnd(SocketFailure("a")))) == ["41"])
        #expect(try read(.socketIO, .client, "41") == [.end(WireEnd(mayReconnect: false))])
        #expect(try read(.socketIO, .server, "41") == [.end(WireEnd())])
        #expect(
            try read(.socketIO, .client, #"44{"message":"m","data":{"code":7}}"#) == [
                .end(
                    WireEnd(
                        SocketFailure("7", "m", details: SocketPayload(json: #"{"code":7}"#)), mayReconnect: false))
            ])
    }

    // MARK: GraphQL

    @Test func aFailureIsWrittenAsItCame() throws {
        let list = #"[{"message":"m","extensions":{"code":"c"}},{"message":"n"}]"#
        let single = #"{"message":"m","extensions":{"code":"c"},"path":[]}"#
        for (wire, details) in [
            (SocketWire.graphQLTransport, list), (.graphQLLegacy, single),
            (.appSync, #"{"errors":[{"errorType":"c","message":"m"}]}"#),
        ] {
            let failure = SocketFailure("c", "m", details: SocketPayload(json: details))
            let same = try written(wire, .server, .completed(1, failure))
            #expect(same == [#"{"id":"1","type":"error","payload":\#(details)}"#])
            for other in [
                SocketFailure("d", "m", details: failure.details), SocketFailure("c", "o", details: failure.details),
            ] {
                let text = try #require(try written(wire, .server, .completed(1, other)).first ?? nil)
                #expect(!text.contains(#""payload":\#(details)}"#))
                #expect(text.contains(details))
            }
        }
    }

    @Test func theFirstOfMembersCountsInGraphQL() throws {
        let text = #"{"type":"next","type":"x","id":"1","id":"2","payload":1,"payload":2}"#
        #expect(try read(.graphQLTransport, .client, text) == [.event(1, SocketPayload(json: "1"))])
        #expect(
            try read(.graphQLTransport, .client, #"{"id":null,"id":7,"type":1,"type":"complete"}"#)
                == [.completed(7, nil)])
    }
}
