import NetCore
import NetSocketCore
import Testing

/// The older GraphQL protocol, as described in the protocol document of subscriptions-transport-ws.
struct GraphQLLegacyWireTests {
    private static let query = SocketPayload(json: #"{"query":"{ a }"}"#)
    private static let result = SocketPayload(json: #"{"data":null,"errors":[{"message":"m"}]}"#)
    private static let failure = SocketFailure(
        "DENIED", "no", details: SocketPayload(json: #"{"message":"no","extensions":{"code":"DENIED"}}"#))

    @Test func eachEndReadsWhatTheOtherOneSays() throws {
        var ends = WirePairOfEnds(.graphQLLegacy)
        try ends.converse([
            (.client, .open(SocketPayload(json: #"{"token":"t"}"#))), (.client, .open(nil)),
            (.server, .opened(WireOpened())), (.server, .opened(WireOpened(payload: Self.query))),
            (.server, .alive(nil)), (.client, .subscribe(1, Self.query)), (.server, .event(1, Self.result)),
            (.server, .completed(1, nil)), (.server, .completed("x", Self.failure)), (.client, .unsubscribe(1)),
            (.server, .end(WireEnd(Self.failure, mayReconnect: false))), (.client, .end(WireEnd())),
        ])
    }

    @Test func theTextsAreTheProtocols() throws {
        var client = SocketWire.graphQLLegacy.makeMachine(.client)
        var server = SocketWire.graphQLLegacy.makeMachine(.server)
        #expect(
            try client.encode(.subscribe(1, Self.query)) == [
                .text(#"{"id":"1","type":"start","payload":{"query":"{ a }"}}"#)
            ])
        #expect(try client.encode(.unsubscribe(1)) == [.text(#"{"id":"1","type":"stop"}"#)])
        #expect(try client.encode(.end(WireEnd())) == [.text(#"{"type":"connection_terminate"}"#)])
        #expect(try server.encode(.alive(nil)) == [.text(#"{"type":"ka"}"#)])
        #expect(
            try server.encode(.end(WireEnd(SocketFailure("401", "who?")))) == [
                .text(#"{"type":"connection_error","payload":{"message":"who?","extensions":{"code":"401"}}}"#)
            ])
        #expect(try server.encode(.end(WireEnd())) == [])
        #expect(try server.encode(.subscribed(1)) == [])
        #expect(SocketWire.graphQLLegacy.subprotocols == ["graphql-ws"])
    }

    /// Servers use different forms of errors.
    @Test(arguments: [
        (#"{"message":"m"}"#, "error", "m"), (#"[{"message":"m","extensions":{"code":7}}]"#, "7", "m"),
        (#"{"errors":[{"message":"m"}]}"#, "error", "m"), (#""m""#, "error", "m"), ("{}", "error", ""),
    ]) func errorsOfEachFormAreRead(payload: String, code: String, message: String) throws {
        var client = SocketWire.graphQLLegacy.makeMachine(.client)
        let failure = SocketFailure(code, message, details: SocketPayload(json: payload))
        let reading = try client.decode(.text(#"{"type":"error","id":"1","payload":\#(payload)}"#))
        #expect(reading.signals == [.completed(1, failure)])
        let refusal = try client.decode(.text(#"{"type":"connection_error","payload":\#(payload)}"#))
        #expect(refusal.signals == [.end(WireEnd(failure, mayReconnect: false))])
        let bare = try client.decode(.text(#"{"type":"connection_error"}"#))
        #expect(bare.signals == [.end(WireEnd(SocketFailure("error"), mayReconnect: false))])
    }

    @Test(arguments: [
        "", "[1]", "{}", #"{"type":"subscribe","id":"1","payload":{}}"#, #"{"type":"start","payload":{}}"#,
        #"{"type":"data","id":"1"}"#, #"{"type":"stop"}"#, #"{"type":"start_ack","id":"1"}"#, #"{"type":"ping"}"#,
    ]) func invalidMessagesAreRejected(text: String) {
        for role in [WebSocketRole.client, .server] {
            var machine = SocketWire.graphQLLegacy.makeMachine(role)
            let error = #expect(throws: NetError.self) { try machine.decode(.text(text)) }
            #expect(error?.code == .decoding)
            #expect(error?.message.contains("wire protocol graphql-ws") == true)
        }
    }

    @Test func unsupportedSignalsAreRejected() {
        let bytes = SocketPayload(bytes: Bytes([1]))
        WirePairOfEnds(.graphQLLegacy).refuses([
            .request(WireRequest(id: 1, event: "x")), .cancel(1), .reply(WireReply(id: 1, .success(nil))),
            .push(WirePush(event: "x")), .join(WireJoin(id: 1, topic: "t")), .leave(1, topic: "t"), .heartbeat(nil),
            .subscribe(1, bytes), .event(1, bytes),
        ])
        #expect(SocketWire.graphQLLegacy.features == [.subscriptions, .opening])
    }

    @Test func damageIsSurvived() {
        WirePairOfEnds(.graphQLLegacy).survivesDamage(to: [
            #"{"id":"1","type":"start","payload":{"query":"\""}}"#,
            #"{"type":"connection_error","payload":{"message":""}}"#,
            #"{"id":"1","type":"error","payload":{"errors":[{"message":"m"}]}}"#, #"{"type":"connection_terminate"}"#,
        ])
    }
}
