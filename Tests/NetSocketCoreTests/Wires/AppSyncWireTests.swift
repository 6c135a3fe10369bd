import NetCore
import NetSocketCore
import Testing

/// The real-time protocol of AWS AppSync, as described in its developer guide.
struct AppSyncWireTests {
    private static let start = SocketPayload(
        json:
            #"{"data":"{\"query\":\"subscription { a }\",\"variables\":{}}","extensions":{"authorization":{"x-api-key":"k"}}}"#
    )
    private static let failure = SocketFailure(
        "LimitExceededError", "Rate limit exceeded",
        details: SocketPayload(
            json: #"{"errors":[{"errorType":"LimitExceededError","message":"Rate limit exceeded"}]}"#)
    )

    @Test func eachEndReadsWhatTheOtherOneSays() throws {
        var ends = WirePairOfEnds(.appSync)
        try ends.converse([
            (.client, .open(nil)), (.server, .opened(WireOpened())),
            (.server, .opened(WireOpened(heartbeat: .seconds(300)))),
            (
                .server,
                .opened(
                    WireOpened(
                        payload: SocketPayload(json: #"{"connectionTimeoutMs":1,"more":[]}"#),
                        heartbeat: .milliseconds(1)))
            ), (.server, .alive(nil)), (.client, .subscribe(1, Self.start)), (.server, .subscribed(1)),
            (.server, .event(1, SocketPayload(json: #"{"data":{"a":1}}"#))), (.server, .completed(1, Self.failure)),
            (.client, .unsubscribe(1)), (.server, .completed(1, nil)),
            (.server, .end(WireEnd(Self.failure, mayReconnect: false))),
        ])
    }

    @Test func theTextsAreTheProtocols() throws {
        var client = SocketWire.appSync.makeMachine(.client)
        var server = SocketWire.appSync.makeMachine(.server)
        #expect(try client.encode(.open(nil)) == [.text(#"{"type":"connection_init"}"#)])
        #expect(
            try server.encode(.opened(WireOpened(heartbeat: .seconds(300)))) == [
                .text(#"{"type":"connection_ack","payload":{"connectionTimeoutMs":300000}}"#)
            ])
        #expect(
            try server.encode(
                .opened(WireOpened(payload: SocketPayload(json: " { } "), heartbeat: .nanoseconds(1)))) == [
                    .text(#"{"type":"connection_ack","payload":{"connectionTimeoutMs":1 }}"#)
                ])
        #expect(try server.encode(.subscribed(1)) == [.text(#"{"id":"1","type":"start_ack"}"#)])
        #expect(
            try client.encode(.subscribe(1, Self.start)) == [
                .text(#"{"id":"1","type":"start","payload":\#(Self.start.json ?? "")}"#)
            ])
        #expect(try client.encode(.end(WireEnd())) == [])
        #expect(SocketWire.appSync.subprotocols == ["graphql-ws"])
    }

    @Test func errorsHaveTheirTypesOrCodes() throws {
        var client = SocketWire.appSync.makeMachine(.client)
        let payload = #"{"errors":[{"message":"denied","errorCode":401}]}"#
        let reading = try client.decode(.text(#"{"payload":\#(payload),"type":"connection_error"}"#))
        let failure = SocketFailure("401", "denied", details: SocketPayload(json: payload))
        #expect(reading.signals == [.end(WireEnd(failure, mayReconnect: false))])
        var ends = WirePairOfEnds(.appSync)
        let (_, texts) = try ends.say(
            .completed(1, SocketFailure("Full", "", details: SocketPayload(json: "[4]"))), from: .server)
        #expect(
            texts == [
                #"{"id":"1","type":"error","payload":{"errors":[{"errorType":"Full","message":"","errorInfo":[4]}]}}"#
            ])
    }

    @Test(arguments: ["{}", "null", #"{"connectionTimeoutMs":"5"}"#, #"{"connectionTimeoutMs":-5}"#])
    func anAcknowledgementWithoutASilenceHasNone(payload: String) throws {
        var client = SocketWire.appSync.makeMachine(.client)
        let signals = try client.decode(.text(#"{"type":"connection_ack","payload":\#(payload)}"#)).signals
        #expect(
            signals == [.opened(WireOpened(payload: payload == "null" ? nil : SocketPayload(json: payload)))])
    }

    @Test(arguments: ["", #"{"type":"start_ack"}"#, #"{"type":"connection_terminate"}"#, #"{"type":"error"}"#])
    func invalidMessagesAreRejected(text: String) {
        for role in [WebSocketRole.client, .server] {
            var machine = SocketWire.appSync.makeMachine(role)
            let error = #expect(throws: NetError.self) { try machine.decode(.text(text)) }
            #expect(error?.code == .decoding)
            #expect(error?.message.contains("wire protocol appsync") == true)
        }
    }

    @Test func unsupportedSignalsAreRejected() {
        WirePairOfEnds(.appSync).refuses([
            .request(WireRequest(id: 1, event: "x")), .push(WirePush(event: "x")), .cancel(1),
            .join(WireJoin(id: 1, topic: "t")), .heartbeat(nil), .subscribe(1, SocketPayload(bytes: Bytes([1]))),
        ])
        var server = SocketWire.appSync.makeMachine(.server)
        let opened = WireOpened(payload: SocketPayload(json: "[1]"), heartbeat: .seconds(1))
        let error = #expect(throws: NetError.self) { try server.encode(.opened(opened)) }
        #expect(error?.code == .encoding)
    }

    @Test func damageIsSurvived() {
        WirePairOfEnds(.appSync).survivesDamage(to: [
            #"{"type":"connection_ack","payload":{"connectionTimeoutMs":18446744073709551615}}"#,
            #"{"id":"1","type":"error","payload":{"errors":[{"errorType":"e","errorCode":1}]}}"#,
            #"{"id":"1","type":"start_ack"}"#,
        ])
    }
}
