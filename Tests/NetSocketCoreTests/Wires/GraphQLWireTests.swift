import NetCore
import NetSocketCore
import Testing

/// GraphQL over WebSocket, as described in the protocol document of `graphql-transport-ws`.
struct GraphQLWireTests {
    private static let query = SocketPayload(json: #"{"query":"subscription { stars }","variables":null}"#)
    private static let result = SocketPayload(json: #"{"data":{"stars":5}}"#)
    private static let errors = SocketPayload(
        json: #"[{"message":"Cannot query \"x\"","extensions":{"code":"VALIDATION"}},{"message":"second"}]"#)

    @Test func eachEndReadsWhatTheOtherOneSays() throws {
        var ends = WirePairOfEnds(.graphQLTransport)
        try ends.converse([
            (.client, .open(SocketPayload(json: #"{"token":"t"}"#))), (.client, .open(nil)),
            (.server, .opened(WireOpened(payload: Self.result))), (.server, .opened(WireOpened())),
            (.client, .subscribe(1, Self.query)), (.client, .subscribe("b-9", Self.query)),
            (.server, .event(1, Self.result)), (.server, .event("b-9", SocketPayload(json: "null"))),
            (.server, .completed(1, nil)),
            (.server, .completed(2, SocketFailure("VALIDATION", "Cannot query \"x\"", details: Self.errors))),
            (
                .server,
                .completed(3, SocketFailure("error", "m", details: SocketPayload(json: #"[{"message":"m"}]"#)))
            ), (.client, .unsubscribe("b-9")), (.client, .heartbeat(nil)), (.server, .heartbeat(nil)),
            (.client, .alive(nil)), (.server, .alive(nil)),
        ])
    }

    @Test func theTextsAreTheProtocols() throws {
        var client = SocketWire.graphQLTransport.makeMachine(.client)
        var server = SocketWire.graphQLTransport.makeMachine(.server)
        #expect(try client.encode(.open(nil)) == [.text(#"{"type":"connection_init"}"#)])
        #expect(
            try client.encode(.subscribe(1, Self.query)) == [
                .text(
                    #"{"id":"1","type":"subscribe","payload":{"query":"subscription { stars }","variables":null}}"#)
            ])
        #expect(
            try server.encode(.event(1, Self.result)) == [
                .text(#"{"id":"1","type":"next","payload":{"data":{"stars":5}}}"#)
            ])
        #expect(try server.encode(.completed(1, nil)) == [.text(#"{"id":"1","type":"complete"}"#)])
        #expect(try client.encode(.unsubscribe(1)) == [.text(#"{"id":"1","type":"complete"}"#)])
        #expect(try client.encode(.heartbeat(nil)) == [.text(#"{"type":"ping"}"#)])
        #expect(try server.encode(.subscribed(1)) == [])
        #expect(try client.encode(.end(WireEnd())) == [])
        #expect(SocketWire.graphQLTransport.subprotocols == ["graphql-transport-ws"])
    }

    /// The other parts of the failure are encoded as extensions.
    @Test(arguments: ["{\"seats\":4}", "[1]", #"[{"message":"another"}]"#])
    func detailsThatArentErrorsAreKept(details: String) throws {
        var ends = WirePairOfEnds(.graphQLTransport)
        let failure = SocketFailure("full", "try later", details: SocketPayload(json: details))
        let (signals, texts) = try ends.say(.completed(1, failure), from: .server)
        let list = #"[{"message":"try later","extensions":{"code":"full","details":\#(details)}}]"#
        #expect(texts == [#"{"id":"1","type":"error","payload":\#(list)}"#])
        #expect(
            signals == [.completed(1, SocketFailure("full", "try later", details: SocketPayload(json: list)))])
    }

    @Test(arguments: [WebSocketRole.client, .server]) func aPingIsAnsweredWithItsPayload(role: WebSocketRole) throws {
        var machine = SocketWire.graphQLTransport.makeMachine(role)
        let plain = try machine.decode(.text(#"{"type":"ping"}"#))
        #expect(plain == WireReading([.heartbeat(nil)], responses: [.text(#"{"type":"pong"}"#)]))
        let loaded = try machine.decode(.text(#" { "payload" : {"t":7}, "type":"ping", "later":[] } "#))
        #expect(loaded.responses == [.text(#"{"type":"pong","payload":{"t":7}}"#)])
    }

    @Test(arguments: [
        "", "[]", "7", "{", "{}", #"{"type":7}"#, #"{"type":"unknown"}"#, #"{"type":"start","id":"1","payload":{}}"#,
        #"{"type":"subscribe","payload":{}}"#, #"{"type":"subscribe","id":"1"}"#, #"{"type":"next","id":null}"#,
        #"{"type":"next","id":"1"}"#, #"{"type":"error"}"#, #"{"type":"complete"}"#, #"{"type":"ping"}}"#,
    ]) func invalidMessagesAreRejected(text: String) {
        for role in [WebSocketRole.client, .server] {
            var machine = SocketWire.graphQLTransport.makeMachine(role)
            let error = #expect(throws: NetError.self) { try machine.decode(.text(text)) }
            #expect(error?.code == .decoding)
            #expect(error?.message.contains("graphql-transport-ws") == true)
        }
    }

    /// An end accepts only signals that the other end is allowed to send.
    @Test func messagesFromTheWrongEndAreRejected() throws {
        var ends = WirePairOfEnds(.graphQLTransport)
        for signal in [WireSignal.open(nil), .subscribe(1, Self.query)] {
            let message = try #require(try ends.client.encode(signal).first)
            #expect(throws: NetError.self) { try ends.client.decode(message) }
        }
        for signal in [WireSignal.opened(WireOpened()), .event(1, Self.result)] {
            let message = try #require(try ends.server.encode(signal).first)
            #expect(throws: NetError.self) { try ends.server.decode(message) }
            #expect(throws: NetError.self) { try ends.client.encode(signal) }
        }
    }

    @Test func unsupportedSignalsAreRejected() {
        let bytes = SocketPayload(bytes: Bytes([1]))
        WirePairOfEnds(.graphQLTransport).refuses([
            .request(WireRequest(id: 1, event: "x")), .request(WireRequest(event: "x")), .cancel(1),
            .reply(WireReply(id: 1, .success(nil))), .push(WirePush(event: "x")),
            .join(WireJoin(id: 1, topic: "t")), .joined(WireJoined(id: 1, topic: "t")),
            .joinRefused(1, topic: "t", SocketFailure("x")), .leave(1, topic: "t"), .left(1, topic: "t", nil),
            .open(bytes), .subscribe(1, bytes), .event(1, bytes), .completed(1, SocketFailure("x", details: bytes)),
        ])
        #expect(SocketWire.graphQLTransport.features == [.subscriptions, .heartbeats, .opening])
    }

    @Test func damageIsSurvived() {
        WirePairOfEnds(.graphQLTransport).survivesDamage(to: [
            #"{"type":"connection_init","payload":{"token":"\n"}}"#, #"{"id":"1","type":"subscribe","payload":{}}"#,
            #"{"id":"1","type":"error","payload":[{"message":"m","extensions":{"code":"c"}}]}"#, #"{"type":"ping"}"#,
        ])
    }
}
