import NetCore
import NetSocketCore
import Testing

/// The exact output of either end of Centrifuge.
struct CentrifugeWritingTests {
    private func texts(_ role: WebSocketRole, _ signal: WireSignal, after message: String? = nil) throws -> [String?] {
        var machine = SocketWire.centrifuge.makeMachine(role)
        if let message { _ = try machine.decode(.text(message)) }
        return try machine.encode(signal).map(\.text)
    }

    private static let opening = #"{"id":1,"connect":{}}"#

    @Test(arguments: [
        (Duration.seconds(35), 25), (.milliseconds(35_500), 26), (.nanoseconds(35_000_000_001), 26), (.seconds(10), 1),
        (.milliseconds(11_500), 2), (.seconds(11), 1), (.seconds(4_294_967_295), 4_294_967_285),
        (.seconds(4_294_967_296), 4_294_967_285), (.seconds(-100), 1),
    ])
    func theIntervalIsTheSilenceWithoutItsGrace(heartbeat: Duration, ping: Int) throws {
        #expect(
            try texts(.server, .opened(WireOpened(heartbeat: heartbeat)), after: Self.opening)
                == [#"{"id":1,"connect":{"ping":\#(ping),"pong":true}}"#])
    }

    @Test func theSessionIsThatOfTheAnswerOrOfTheConnection() throws {
        var server = SocketWire.centrifuge.makeMachine(.server)
        #expect(server.greet(as: "own") == [])
        for (session, client) in [(nil, "own"), ("other", "other")] as [(String?, String)] {
            _ = try server.decode(.text(Self.opening))
            #expect(
                try server.encode(.opened(WireOpened(session: session)))
                    == [.text(#"{"id":1,"connect":{"client":"\#(client)"}}"#)])
        }
        #expect(throws: NetError.self) { try server.encode(.opened(WireOpened())) }
    }

    @Test func anEndHasTheCodeThatClientsUnderstand() throws {
        let failure = SocketFailure("full", "later")
        for (mayReconnect, code) in [(true, 4000), (false, 4500)] {
            let end = WireSignal.end(WireEnd(failure, mayReconnect: mayReconnect))
            let body = #"{"code":\#(code),"reason":"later","name":"full","reconnect":\#(mayReconnect)}"#
            #expect(try texts(.server, end) == [#"{"push":{"disconnect":\#(body)}}"#])
            let error = #"{"code":400,"message":"later","name":"full","temporary":\#(mayReconnect)}"#
            #expect(try texts(.server, end, after: Self.opening) == [#"{"id":1,"error":\#(error)}"#])
        }
        #expect(try texts(.server, .end(WireEnd())) == [])
        #expect(try texts(.client, .end(WireEnd())) == [])
    }

    @Test(arguments: [
        ("7", #""code":7,"message":"m""#), ("0", #""code":0,"message":"m""#),
        ("4294967295", #""code":4294967295,"message":"m""#),
        ("4294967296", #""code":400,"message":"m","name":"4294967296""#),
        ("07", #""code":400,"message":"m","name":"07""#),
        ("+7", #""code":400,"message":"m","name":"+7""#), ("-1", #""code":400,"message":"m","name":"-1""#),
        ("", #""code":400,"message":"m","name":"""#),
    ])
    func aCodeThatIsNoNumberIsAName(code: String, members: String) throws {
        let refusals: [WireSignal] = [
            .reply(WireReply(id: 7, .failure(SocketFailure(code, "m")))),
            .joinRefused(7, topic: "c", SocketFailure(code, "m")),
            .left(7, topic: "c", SocketFailure(code, "m")),
        ]
        for refusal in refusals { #expect(try texts(.server, refusal) == [#"{"id":7,"error":{\#(members)}}"#]) }
    }

    @Test(arguments: [
        (#"{"temporary":true}"#, #""code":7,"message":"","temporary":true"#),
        (#"{"temporary":true,"a":1}"#, #""code":7,"message":"","details":{"temporary":true,"a":1},"temporary":true"#),
        (#"{"temporary":false}"#, #""code":7,"message":"","details":{"temporary":false}"#),
        ("[1]", #""code":7,"message":"","details":[1]"#),
    ])
    func aTemporaryFailureSaysSo(details: String, members: String) throws {
        let failure = SocketFailure("7", details: SocketPayload(json: details))
        #expect(
            try texts(.server, .reply(WireReply(id: 7, .failure(failure)))) == [#"{"id":7,"error":{\#(members)}}"#])
    }

    @Test func anAnswerToAJoinHasWhatItHas() throws {
        let missed = [
            WirePush(event: "", payload: SocketPayload(json: "1"), topic: "c", offset: 3),
            WirePush(event: "", topic: "c"),
        ]
        let answers: [(WireJoined, String)] = [
            (WireJoined(id: 1, topic: "c"), "{}"),
            (WireJoined(id: 1, topic: "c", payload: SocketPayload(json: "[1]")), #"{"data":[1]}"#),
            (
                WireJoined(id: 1, topic: "c", position: ChannelPosition(epoch: "e", offset: 0)),
                #"{"recoverable":true,"positioned":true,"epoch":"e","offset":0}"#
            ), (WireJoined(id: 1, topic: "c", isRecovered: false), #"{"was_recovering":true,"recovered":false}"#),
            (WireJoined(id: 1, topic: "c", isRecovered: true), #"{"was_recovering":true,"recovered":true}"#),
            (WireJoined(id: 1, topic: "c", missed: missed), #"{"publications":[{"data":1,"offset":3},{}]}"#),
        ]
        for (joined, body) in answers {
            #expect(try texts(.server, .joined(joined)) == [#"{"id":1,"subscribe":\#(body)}"#])
        }
    }

    @Test func repliesAndPushesHaveTheirKinds() throws {
        let signals: [(WireSignal, String)] = [
            (.reply(WireReply(id: 1, .success(nil))), #"{"id":1,"rpc":{}}"#),
            (.reply(WireReply(id: 1, .success(SocketPayload(json: "7")))), #"{"id":1,"rpc":{"data":7}}"#),
            (.reply(WireReply(id: 1, topic: "c", .success(SocketPayload(json: "{}")))), #"{"id":1,"publish":{}}"#),
            (.reply(WireReply(id: 1, topic: "c", .success(SocketPayload(json: "null")))), #"{"id":1,"publish":{}}"#),
            (.push(WirePush(event: "")), #"{"push":{"message":{}}}"#),
            (.push(WirePush(event: "", topic: "c")), #"{"push":{"channel":"c","pub":{}}}"#),
            (
                .push(WirePush(event: "join", payload: SocketPayload(json: "7"), topic: "c")),
                #"{"push":{"channel":"c","join":{"info":7}}}"#
            ),
            (.push(WirePush(event: "leave", topic: "c")), #"{"push":{"channel":"c","leave":{}}}"#),
            (.left(7, topic: "c", nil), #"{"id":7,"unsubscribe":{}}"#), (.heartbeat(nil), "{}"),
            (.alive(5), #"{"id":5,"ping":{}}"#),
            (.alive(nil), #"{"id":4294967294,"ping":{}}"#), (.alive(4_294_967_295), #"{"id":4294967295,"ping":{}}"#),
            (
                .left(nil, topic: "c", SocketFailure("full", "m")),
                #"{"push":{"channel":"c","unsubscribe":{"code":2000,"reason":"m","name":"full"}}}"#
            ),
        ]
        for (signal, text) in signals { #expect(try texts(.server, signal) == [text]) }
    }

    @Test func commandsHaveTheirKinds() throws {
        let signals: [(WireSignal, String)] = [
            (.open(nil), #"{"id":4294967295,"connect":{}}"#), (.heartbeat(nil), #"{"id":4294967294,"ping":{}}"#),
            (.heartbeat(7), #"{"id":7,"ping":{}}"#), (.alive(nil), "{}"),
            (.request(WireRequest(id: 1, event: "m")), #"{"id":1,"rpc":{"method":"m"}}"#),
            (.request(WireRequest(id: 1, event: "", topic: "c")), #"{"id":1,"publish":{"channel":"c"}}"#),
            (.request(WireRequest(event: "")), #"{"send":{}}"#),
            (.join(WireJoin(id: 1, topic: "c")), #"{"id":1,"subscribe":{"channel":"c"}}"#),
        ]
        for (signal, text) in signals { #expect(try texts(.client, signal) == [text]) }
    }

    /// A payload that consists only of settings is written as members.
    @Test(arguments: [
        (#"{"positioned":true}"#, true), (#"{"positioned":1}"#, false), (#"{"positioned":"true"}"#, false),
        (#"{"token":true}"#, false), (#"{"token":"t"}"#, true), (#"{"token":"t","other":true}"#, false),
        (#"{"recoverable":false,"join_leave":true,"token":"","data":null}"#, true), (#"{"data":1}"#, false),
        (#"{"other":true,"recoverable":true}"#, false), (#"{"recoverable":true,"recoverable":true}"#, false),
        (#"{"join_leave":null}"#, false), (#"{"data":1,"positioned":false}"#, true), ("[]", false),
    ])
    func settingsOfAJoinAreMembers(payload: String, areMembers: Bool) throws {
        let members = areMembers ? String(payload.dropFirst().dropLast()) : #""data":\#(payload)"#
        #expect(
            try texts(.client, .join(WireJoin(id: 1, topic: "c", payload: SocketPayload(json: payload))))
                == [#"{"id":1,"subscribe":{"channel":"c",\#(members)}}"#])
    }

    @Test(arguments: [(0, false), (1, true), (4_294_967_293, true), (4_294_967_294, false)] as [(UInt64, Bool)])
    func theIDsOfAClientAreNumbersOf32Bits(id: UInt64, isGood: Bool) {
        #expect(((try? texts(.client, .request(WireRequest(id: .number(id), event: "m")))) != nil) == isGood)
    }

    @Test(arguments: [(0, false), (1, true), (4_294_967_295, true), (4_294_967_296, false)] as [(UInt64, Bool)])
    func aServerRepeatsAnyIDOfAClient(id: UInt64, isGood: Bool) {
        #expect(((try? texts(.server, .reply(WireReply(id: .number(id), .success(nil))))) != nil) == isGood)
    }
}
