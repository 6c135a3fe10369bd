import HTTPTypes
import NetCore
import NetSocketCore
import NetTesting
import Testing

/// The errors of an open WebSocket.
struct SocketOriginTests {
    private let clock = TestClock()

    private func called() -> (origin: SocketOrigin, call: CallSummary) {
        let head = HTTPRequest(method: .get, scheme: "wss", authority: "h", path: "/x")
        let environment = CallContext.Environment(clock: clock.netClock)
        let context = CallContext(for: PreparedRequest(head: head), environment: environment)
        return (SocketOrigin(context), context.summary)
    }

    @Test func errorsNameTheCallAndItsTime() async {
        let (origin, call) = called()
        await clock.advance(by: .seconds(7))
        let errors = [
            origin.error(.timeout, phase: .waiting, message: "m"), origin.lost("gone"),
            origin.closed(WebSocketClosure(code: .goingAway), peer: "the server"),
            origin.violated(WebSocketViolation(.protocolError, "v")),
            origin.completing(NetError(.encoding, phase: .sending, message: "e")),
        ]
        for error in errors {
            #expect(error.call == call)
            #expect(error.elapsed == .seconds(7))
        }
        #expect(errors[0].code == .timeout)
        #expect(errors[0].phase == .waiting)
        #expect(errors[0].message == "m")
        #expect(errors[4].code == .encoding)
        #expect(errors[4].phase == .sending)
    }

    @Test func withoutACallTheyNameNone() async {
        await clock.advance(by: .seconds(2))
        let origin = SocketOrigin(clock.netClock)
        await clock.advance(by: .seconds(3))
        let error = origin.lost("gone")
        #expect(error.call == nil)
        #expect(error.elapsed == .seconds(3))
        let plain = origin.completing(NetError(.encoding, phase: .sending, message: "e"))
        #expect(plain.call == nil)
        #expect(plain.elapsed == nil)
    }

    @Test func theEndSaysWhoBeganIt() {
        let origin = SocketOrigin(clock.netClock)
        for (isByPeer, text) in [(true, "by the server"), (false, "here")] {
            let closure = WebSocketClosure(code: .goingAway, reason: "PLANTED", isByPeer: isByPeer)
            let error = origin.closed(closure, peer: "the server")
            #expect(error.code == .webSocketClosed)
            #expect(error.phase == .receiving)
            #expect(error.closure == closure)
            #expect(error.message.hasPrefix("the WebSocket was closed \(text): 1001"))
            #expect(!error.message.contains("PLANTED"))
        }
    }

    @Test func aMessageThatIsTooLargeIsABodyThatIs() {
        let origin = SocketOrigin(clock.netClock)
        for (code, found) in [
            (WebSocketCloseCode.messageTooBig, NetError.Code.bodyTooLarge), (.protocolError, .protocolViolation),
            (.invalidPayload, .protocolViolation),
        ] {
            let error = origin.violated(WebSocketViolation(code, "why"))
            #expect(error.code == found)
            #expect(error.message == "why")
            #expect(error.phase == .receiving)
            #expect(
                error.closure
                    == WebSocketClosure(code: .abnormalClosure, isByPeer: false, sentCode: code, sentReason: "why"))
        }
    }

    @Test func aCloseThatWasNotConfirmedHasTheCodeThatIsNeverSent() {
        let sent = WebSocketClosure(code: .goingAway, reason: "later", isByPeer: false)
        let error = SocketOrigin(clock.netClock).unconfirmed(sent, peer: "the server")
        #expect(error.code == .webSocketClosed)
        #expect(error.message == "the WebSocket was closed here with 1001, which the server didn't confirm")
        #expect(error.closure?.code == .abnormalClosure)
        #expect(error.closure?.isByPeer == false)
        #expect(error.closure?.sentCode == .goingAway)
        #expect(error.closure?.sentReason == "later")
        #expect(error.closure?.description == "1006, unconfirmed 1001 \"later\"")
    }

    @Test func aLossHasTheCodeThatIsNeverSent() {
        let error = SocketOrigin(clock.netClock).lost("the connection broke")
        #expect(error.code == .connectionLost)
        #expect(error.message == "the connection broke, without a closing handshake")
        #expect(error.closure == WebSocketClosure(code: .abnormalClosure, isByPeer: true))
    }

    @Test func aSilenceIsToldInSeconds() {
        let liveness = WebSocketLiveness(silence: .milliseconds(1500), grace: .microseconds(2_250_000))
        #expect(
            SocketOrigin.silence(of: "the server", liveness)
                == "the server was silent for 1.500 s and didn't respond to a ping within 2.250 s")
    }
}
