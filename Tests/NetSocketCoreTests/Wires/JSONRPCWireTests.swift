import NetCore
import NetSocketCore
import Testing

/// JSON-RPC 2.0, with the examples of section 7 of its specification.
struct JSONRPCWireTests {
    private static let params = SocketPayload(json: #"{"a":"\"","b":[1]}"#)

    private func encoded(_ signal: WireSignal, _ role: WebSocketRole = .client) throws -> String? {
        var machine = SocketWire.jsonRPC.makeMachine(role)
        return try machine.encode(signal).first?.text
    }

    private func decoded(_ text: String, _ role: WebSocketRole = .server) throws -> WireReading {
        var machine = SocketWire.jsonRPC.makeMachine(role)
        return try machine.decode(.text(text))
    }

    @Test func eachEndReadsWhatTheOtherOneSays() throws {
        var ends = WirePairOfEnds(.jsonRPC)
        let failure = SocketFailure("-32601", "Method not found", details: Self.params)
        for role in [WebSocketRole.client, .server] {
            try ends.converse([
                (role, .request(WireRequest(id: 1, event: "subtract", payload: Self.params))),
                (role, .request(WireRequest(id: "a-b", event: "x", payload: SocketPayload(json: "[1,2]")))),
                (role, .request(WireRequest(id: 18_446_744_073_709_551_615, event: "\"é\n"))),
                (role, .reply(WireReply(id: 1, .success(Self.params)))),
                (role, .reply(WireReply(id: 2, .success(nil)))),
                (role, .reply(WireReply(id: "a-b", .failure(failure)))),
                (role, .reply(WireReply(id: 3, .failure(SocketFailure("7", ""))))),
                (role, .reply(WireReply(id: 4, .failure(SocketFailure("not_found", "no"))))),
                (role, .reply(WireReply(id: 5, .failure(SocketFailure("07", "no", details: Self.params))))),
            ])
        }
        try ends.converse([
            (.client, .request(WireRequest(event: "update", payload: Self.params))),
            (.client, .request(WireRequest(event: "foobar"))),
            (.server, .push(WirePush(event: "update", payload: Self.params))), (.server, .push(WirePush(event: "x"))),
        ])
    }

    @Test func theTextsAreTheSpecifications() throws {
        let positional = WireRequest(id: 1, event: "subtract", payload: SocketPayload(json: "[42,23]"))
        #expect(
            try encoded(.request(positional)) == #"{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}"#)
        #expect(try encoded(.request(WireRequest(event: "foobar"))) == #"{"jsonrpc":"2.0","method":"foobar"}"#)
        #expect(
            try encoded(.reply(WireReply(id: 1, .success(SocketPayload(json: "19")))), .server)
                == #"{"jsonrpc":"2.0","result":19,"id":1}"#)
        let failure = SocketFailure("-32601", "Method not found")
        #expect(
            try encoded(.reply(WireReply(id: "\"1\"", .failure(failure))), .server)
                == #"{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":"1"}"#)
        #expect(
            try encoded(.reply(WireReply(id: 1, .failure(SocketFailure("full", "", details: Self.params)))), .server)
                == #"{"jsonrpc":"2.0","error":{"code":-32000,"message":"","data":{"code":"full","details":{"a":"\"","b":[1]}}},"id":1}"#
        )
        #expect(
            try decoded(#"{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23}, "id": 3}"#).signals
                == [
                    .request(
                        WireRequest(id: 3, event: "subtract", payload: SocketPayload(json: #"{"subtrahend": 23}"#)))
                ])
        #expect(
            try decoded(#"{"jsonrpc": "2.0", "error": {"code": -32601, "message": "no"}, "id": "5"}"#, .client).signals
                == [.reply(WireReply(id: "\"5\"", .failure(SocketFailure("-32601", "no"))))])
    }

    /// A response repeats the ID with its type.
    @Test(arguments: [
        "7", "\"7\"", "\"a\"", "-1", "\"-1\"", "1.5e3", "null", "\"null\"", "\"\\\"\"", "\"\"", "18446744073709551616",
        "\"\\\"7\\\"\"", "\"01\"", "\" \"",
    ]) func anIDKeepsItsType(id: String) throws {
        var server = SocketWire.jsonRPC.makeMachine(.server)
        let signals = try server.decode(.text(#"{"jsonrpc":"2.0","method":"m","id":\#(id)}"#)).signals
        guard case .request(let request) = signals.first, let found = request.id else {
            Issue.record("\(signals)")
            return
        }
        #expect(
            try server.encode(.reply(WireReply(id: found, .success(nil)))) == [
                .text(#"{"jsonrpc":"2.0","result":null,"id":\#(id)}"#)
            ])
    }

    @Test func idsOfDifferentTypesAreDifferent() throws {
        let text = ["7", "\"7\"", "\"\\\"7\\\"\"", "-1", "\"-1\"", "null", "\"null\"", "7.0"]
            .map { #"{"method":"m","id":\#($0)}"# }.joined(separator: ",")
        let ids = try decoded("[\(text)]").signals.compactMap { signal -> SocketID? in
            if case .request(let request) = signal { request.id } else { nil }
        }
        #expect(Set(ids).count == 8)
        #expect(ids.first == SocketID.number(7))
    }

    private static let invalid = #"{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null}"#
    private static let unparsable = #"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}"#

    @Test(arguments: [
        (#"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#, unparsable),
        (#"[{"jsonrpc": "2.0", "method": "sum", "id": "1"},{"jsonrpc": "2.0", "method"]"#, unparsable),
        ("", unparsable), (#"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#, invalid), ("[]", invalid),
        ("[1]", "[\(invalid)]"), ("[1,2,3]", "[\(invalid),\(invalid),\(invalid)]"), ("7", invalid), ("{}", invalid),
        (#"{"method":"m","params":7}"#, invalid), (#"{"method":"m","id":true}"#, invalid),
        (#"{"method":"m","id":{}}"#, invalid), (#"{"jsonrpc":"1.0","method":"m"}"#, invalid),
        (#"{"id":1}"#, invalid), (#"{"result":1}"#, invalid), ("[[]]", "[\(invalid)]"),
    ]) func invalidRequestsAreAnsweredWithAnError(text: String, answer: String) throws {
        let reading = try decoded(text)
        #expect(reading.signals.isEmpty)
        #expect(reading.responses == [.text(answer)])
        #expect(reading.unreadable != nil)
    }

    /// A client responds only to requests: any other invalid message is a broken response.
    @Test func aClientAnswersOnlyRequests() throws {
        for text in ["", "{", "[]", "[1]", "7", "{}", #"{"id":1}"#, #"{"jsonrpc":"1.0","result":1,"id":1}"#] {
            let error = #expect(throws: NetError.self) { try decoded(text, .client) }
            #expect(error?.code == .decoding)
            #expect(error?.message.contains("jsonrpc-2.0") == true)
        }
        #expect(try decoded(#"{"method":7}"#, .client).responses == [.text(Self.invalid)])
        var client = SocketWire.jsonRPC.makeMachine(.client)
        #expect(throws: NetError.self) { try client.decode(.binary(Bytes([1]))) }
        var server = SocketWire.jsonRPC.makeMachine(.server)
        #expect(try server.decode(.binary(Bytes([1]))).responses == [.text(Self.unparsable)])
    }

    /// The batch in the specification, with responses in a different order than its requests.
    @Test func aBatchIsAnsweredAsAWhole() throws {
        var server = SocketWire.jsonRPC.makeMachine(.server)
        let reading = try server.decode(
            .text(
                #"[{"jsonrpc":"2.0","method":"sum","params":[1,2,4],"id":1},{"jsonrpc":"2.0","method":"notify_hello","params":[7]},{"foo":"boo"},{"jsonrpc":"2.0","method":"get_data","id":9}]"#
            ))
        #expect(
            reading
                == WireReading([
                    .request(WireRequest(id: 1, event: "sum", payload: SocketPayload(json: "[1,2,4]"))),
                    .request(WireRequest(event: "notify_hello", payload: SocketPayload(json: "[7]"))),
                    .request(WireRequest(id: 9, event: "get_data")),
                ]))
        #expect(try server.encode(.reply(WireReply(id: 9, .success(nil)))) == [])
        let other = try server.encode(.reply(WireReply(id: 2, .success(nil))))
        #expect(other == [.text(#"{"jsonrpc":"2.0","result":null,"id":2}"#)])
        #expect(
            try server.encode(.reply(WireReply(id: 1, .success(SocketPayload(json: "7"))))) == [
                .text(
                    #"[\#(Self.invalid),{"jsonrpc":"2.0","result":null,"id":9},{"jsonrpc":"2.0","result":7,"id":1}]"#)
            ])
        #expect(try server.encode(.reply(WireReply(id: 1, .success(nil)))).first?.text?.first == "{")
        #expect(try decoded(#"[{"method":"a"},{"method":"b"}]"#).responses.isEmpty)
    }

    @Test func aBatchOfResponsesIsRead() throws {
        let signals = try decoded(#"[{"result":19,"id":2},{"error":{"code":5,"message":"m"},"id":"1"},7]"#, .client)
            .signals
        #expect(
            signals == [
                .reply(WireReply(id: 2, .success(SocketPayload(json: "19")))),
                .reply(WireReply(id: "\"1\"", .failure(SocketFailure("5", "m")))),
            ])
    }

    /// A peer can't make this side remember more than 1,024 requests of batches.
    @Test func theMemoryOfBatchesIsBounded() throws {
        var server = SocketWire.jsonRPC.makeMachine(.server)
        func batch(_ ids: Range<Int>) -> WebSocketMessage {
            .text("[" + ids.map { #"{"method":"m","id":\#($0)}"# }.joined(separator: ",") + "]")
        }
        _ = try server.decode(batch(0..<1024))
        #expect(try server.decode(batch(1024..<1026)).signals.count == 2)
        let single = try server.encode(.reply(WireReply(id: 1024, .success(nil))))
        #expect(single == [.text(#"{"jsonrpc":"2.0","result":null,"id":1024}"#)])
        for id in 0..<1024 {
            let texts = try server.encode(.reply(WireReply(id: .number(UInt64(id)), .success(nil))))
            #expect(texts.count == (id == 1023 ? 1 : 0))
        }
        _ = try server.decode(batch(0..<1024))
        #expect(try server.encode(.reply(WireReply(id: 0, .success(nil)))) == [])
    }

    /// Nor can it cause a response that is many times as long as its message.
    @Test func theErrorsOfABatchAreBounded() throws {
        let text = "[" + repeatElement("1", count: 100_000).joined(separator: ",") + "]"
        let answer = try #require(try decoded(text).responses.first)
        #expect(answer.count == 1024 * (Self.invalid.utf8.count + 1) + 1)
    }

    /// Peers deviate from the specification by omitting different parts.
    @Test func responsesOfOtherFormsAreRead() throws {
        let cases: [(String, WireReply)] = [
            (#"{"id":1,"result":{},"error":null}"#, WireReply(id: 1, .success(SocketPayload(json: "{}")))),
            (#"{"id":1,"result":null,"error":"m"}"#, WireReply(id: 1, .failure(SocketFailure("error", "m")))),
            (
                #"{"error":{"code":-32700,"message":"m","data":null}}"#,
                WireReply(id: "null", .failure(SocketFailure("-32700", "m")))
            ),
            (
                #"{"id":1,"error":{"code":-32000,"message":"m","data":{"code":7}}}"#,
                WireReply(id: 1, .failure(SocketFailure("-32000", "m", details: SocketPayload(json: #"{"code":7}"#))))
            ),
        ]
        for (text, reply) in cases { #expect(try decoded(text, .client).signals == [.reply(reply)]) }
    }

    @Test func unsupportedSignalsAreRejected() {
        let bytes = SocketPayload(bytes: Bytes([1]))
        WirePairOfEnds(.jsonRPC).refuses([
            .cancel(1), .heartbeat(nil), .alive(nil), .join(WireJoin(id: 1, topic: "t")),
            .joined(WireJoined(id: 1, topic: "t")), .leave(1, topic: "t"), .left(nil, topic: "t", nil),
            .subscribe(1, bytes), .subscribed(1), .event(1, bytes), .completed(1, nil), .unsubscribe(1),
            .request(WireRequest(id: 1, event: "x", topic: "t")), .push(WirePush(event: "x", topic: "t")),
            .reply(WireReply(id: 1, topic: "t", .success(nil))),
            .request(WireRequest(id: 1, event: "x", payload: bytes)),
            .reply(WireReply(id: 1, .success(bytes))),
        ])
        #expect(throws: NetError.self) { try encoded(.push(WirePush(event: "x"))) }
        #expect(throws: NetError.self) { try encoded(.request(WireRequest(event: "x")), .server) }
        for json in ["7", "null", "\"x\"", "", " "] {
            let error = #expect(throws: NetError.self) {
                try encoded(.request(WireRequest(id: 1, event: "x", payload: SocketPayload(json: json))))
            }
            #expect(error?.code == .encoding)
        }
        #expect(SocketWire.jsonRPC.features == [.requests, .notifications, .pushes, .uniformPushes])
    }

    @Test func damageIsSurvived() {
        WirePairOfEnds(.jsonRPC).survivesDamage(to: [
            #"{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":-1}"#,
            #"[{"jsonrpc":"2.0","method":"m","id":"\n"},{"id":1,"error":{"code":-32000,"data":{"code":"x"}}},7]"#,
        ])
    }
}
