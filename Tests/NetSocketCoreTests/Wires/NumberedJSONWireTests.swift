import NetCore
import NetSocketCore
import Testing

/// The default wire protocol when both ends have agreed on numbered messages.
struct NumberedJSONWireTests {
    private static let subprotocol = "swift-net.json.v1"
    private static let payload = SocketPayload(json: #"{"text":"he said \"hi\""}"#)
    private static let push = WirePush(event: "chat.message", payload: payload, topic: "room")

    private static func ends() -> WirePairOfEnds {
        var ends = WirePairOfEnds(.numberedJSON)
        ends.client.agree(on: subprotocol)
        ends.server.agree(on: subprotocol)
        return ends
    }

    @Test func eachEndReadsWhatTheOtherOneSays() throws {
        var ends = Self.ends()
        try ends.converse([
            (.client, .resume(WireResume(session: "4f \"x\""))),
            (.client, .resume(WireResume(session: "4f", epoch: "a\n", received: 17))),
            (.server, .resumed(WireResumed(epoch: "a", received: 12))),
            (.client, .numbered(13, .request(WireRequest(id: 7, event: "chat.send", payload: Self.payload)))),
            (.client, .numbered(14, .request(WireRequest(event: "note", payload: Self.payload, topic: "room")))),
            (.server, .numbered(18, .reply(WireReply(id: 7, event: "chat.send", .success(Self.payload))))),
            (.server, .numbered(.max, .push(Self.push))),
            (.server, .acknowledge(13)), (.client, .acknowledge(18)),
        ])
    }

    @Test func theTextsAreThoseOfTheDocument() throws {
        var ends = Self.ends()
        let texts = try [
            (.resume(WireResume(session: "4f", epoch: "a", received: 17)), .client),
            (.resumed(WireResumed(epoch: "a", received: 12)), .server),
            (
                .numbered(13, .request(WireRequest(id: 7, event: "chat.send", payload: SocketPayload(json: "{}")))),
                .client
            ),
            (.acknowledge(13), .server),
        ].flatMap { (signal: WireSignal, role: WebSocketRole) in try ends.say(signal, from: role).texts }
        #expect(
            texts == [
                #"{"sessionId":"4f","epoch":"a","received":17,"event":"session.resume"}"#,
                #"{"epoch":"a","received":12,"event":"session.resumed"}"#,
                #"{"seq":13,"event":"chat.send","requestId":"7","payload":{}}"#,
                #"{"received":13,"event":"session.ack"}"#,
            ])
    }

    @Test func channelsRecover() throws {
        var ends = Self.ends()
        let position = ChannelPosition(epoch: "e\"1", offset: 17)
        let (joins, _) = try ends.say(.join(WireJoin(id: 3, topic: "room", position: position)), from: .client)
        guard case .join(let join)? = joins.first else {
            Issue.record("no join: \(joins)")
            return
        }
        #expect(join.position == position)
        var missed = Self.push
        missed.offset = 18
        let answer = WireJoined(
            id: 3, topic: "room", payload: Self.payload, position: ChannelPosition(epoch: "e\"1", offset: 18),
            isRecovered: true, missed: [missed])
        var later = Self.push
        later.offset = 19
        try ends.converse([(.server, .joined(answer)), (.server, .push(later))])
    }

    @Test func withoutAgreementItIsThePlainWire() throws {
        var numbered = WirePairOfEnds(.numberedJSON)
        numbered.client.agree(on: nil)
        let join = WireSignal.join(WireJoin(id: 1, topic: "room", position: ChannelPosition(epoch: "a", offset: 1)))
        #expect(try numbered.say(join, from: .client).texts.first?.contains("recover") == false)
        numbered.refuses([
            .resume(WireResume(session: "s")), .resumed(WireResumed(epoch: "a", received: 0)),
            .numbered(1, .push(Self.push)), .acknowledge(1),
        ])
        var server = SocketWire.json.makeMachine(.server)
        let reading = try server.decode(.text(#"{"event":"session.ack","received":1}"#))
        #expect(reading.signals == [.request(WireRequest(event: "session.ack"))])
    }

    @Test(arguments: [
        #"{"event":"session.resume","received":1}"#, #"{"event":"session.resume","sessionId":"s"}"#,
        #"{"event":"session.ack"}"#, #"{"event":"session.ack","received":-1}"#, #"{"event":"a","seq":1.5}"#,
        #"{"event":"a","seq":"7"}"#, #"{"event":"a","seq":18446744073709551616}"#,
    ])
    func aMessageWithoutItsNumbersIsUnreadable(text: String) throws {
        var ends = Self.ends()
        let reading = try ends.server.decode(.text(text))
        #expect(reading.signals.isEmpty)
        #expect(reading.unreadable != nil)
        #expect(reading.responses.count == 1)
    }

    @Test func aMessageThatCanNotBeReadIsCounted() throws {
        var ends = Self.ends()
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        let reading = try ends.server.decode(.text("{\"seq\":7,\"event\":\"a\",\"payload\":\(deep)}"))
        #expect(reading.signals == [.numbered(7, .alive(nil))])
        #expect(reading.unreadable?.contains("deep") == true)
        for text in ["{\"event\":\"a\",\"payload\":\(deep)}", "{\"seq\":x", "{\"seq\":"] {
            let reading = try ends.server.decode(.text(text))
            #expect(reading.signals.isEmpty)
            #expect(reading.unreadable != nil)
        }
    }

    @Test func damagedMessagesEndNothing() throws {
        var ends = Self.ends()
        for (role, signal) in [
            (.client, .resume(WireResume(session: "4f", epoch: "a", received: 17))),
            (.server, .numbered(18, .push(Self.push))), (.server, .acknowledge(13)),
        ] as [(WebSocketRole, WireSignal)] {
            let texts = try ends.say(signal, from: role).texts
            ends.survivesDamage(to: texts)
            for text in texts {
                for index in text.utf8.indices {
                    _ = try? ends.client.decode(.text(String(text[..<index])))
                    _ = try? ends.server.decode(.text(String(text[index...])))
                }
            }
        }
    }
}
