import HTTPTypes
import NetTesting
import TestSupport
import Testing

@testable import NetCore

private struct Hook: AttemptHook {
    var name: HTTPField.Name?
    var error: NetError?
    var difference: IdentityDifference?
    let received = Locked<[Int]>([])

    func willSend(_ request: inout PreparedRequest, _ context: CallContext) async throws(NetError) {
        if let error { throw error }
        if let name { request.head.headerFields[name] = "\(request.head.headerFields.count)" }
    }

    func didReceive(_ head: ResponseHead, to request: PreparedRequest, _ context: CallContext) {
        received.change { $0.append(head.status.code + request.head.headerFields.count) }
    }
}

@Suite(.timeLimit(.minutes(1))) struct CallAttemptTests {
    private let clock = TestClock()
    private let log = EventLog()
    private let ok = ResponseHead(status: .ok)

    private func next(_ response: StreamedResponse, endsWithCall: Bool = false) -> Next {
        Next(FunctionTransport(endsWithCall: endsWithCall) { _, _ in response })
    }

    private func failure(_ next: Next, _ request: PreparedRequest, _ context: CallContext) async -> NetError? {
        do throws(NetError) {
            _ = try await next(request, context)
            return nil
        } catch {
            return error
        }
    }

    @Test func anAttemptEndsWithItsBody() async throws {
        let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        let request = PreparedRequest.test("/x?token=SECRET", method: .put, headers: [.traceParent: trace])
        let context = CallContext.test(request, clock, listeners: [log])
        await clock.advance(by: .seconds(1))
        let response = try await next(
            StreamedResponse(head: ok, body: ResponseBody(source: HeldSource(["a", "b"]))))(request, context)
        #expect(log.attempts.isEmpty)
        await clock.advance(by: .seconds(2))
        #expect(try await response.bytes() == Bytes("ab".utf8))
        let attempt = try #require(log.attempts.first)
        #expect(log.attempts.count == 1)
        #expect(attempt.number == 1)
        #expect(attempt.status == 200)
        #expect(attempt.error == nil)
        #expect(attempt.start == .seconds(1))
        #expect(attempt.method == .put)
        #expect(attempt.url == "https://a.test/x?token=<redacted>")
        #expect(attempt.trace?.description == trace)
        #expect(log.events.first?.elapsed == .seconds(3))
    }

    @Test func theRequestsOwnRedactionIsUsed() async throws {
        let request = PreparedRequest.test("/x?token=SECRET") { $0.redaction = .disabled }
        let context = CallContext.test(request, clock, listeners: [log])
        _ = try await next(StreamedResponse(head: ok))(request, context)
        #expect(log.attempts.first?.url == "https://a.test/x?token=SECRET")
    }

    @Test func aBodyThatFailsIsTheErrorOfItsAttempt() async throws {
        let context = CallContext.test(.test(), clock, listeners: [log])
        let broken = HeldSource(["a"], end: NetError(.connectionLost, phase: .receiving, message: "m"))
        let response = try await next(StreamedResponse(head: ok, body: ResponseBody(source: broken)))(.test(), context)
        let error = await #expect(throws: NetError.self) { try await response.bytes() }
        #expect(error?.call?.id == context.id, "it names its call")
        #expect(error?.elapsed == .zero, "it names its call")
        #expect(log.attempts.first?.status == 200)
        #expect(log.attempts.first?.error?.code == .connectionLost)
    }

    @Test func anAttemptWithoutAResponseFails() async {
        let context = CallContext.test(.test(), clock, listeners: [log])
        let broken = Next(
            FunctionTransport { (_, _) throws(NetError) in throw NetError(.dns, phase: .resolving, message: "m") })
        let error = await failure(broken, .test(), context)
        #expect(error?.code == .dns)
        #expect(error?.call?.id == context.id)
        #expect(error?.attempt == 1)
        #expect(log.attempts.first?.status == nil)
        #expect(log.attempts.first?.error?.code == .dns)
        #expect(log.attempts.first?.start == .zero)
    }

    @Test func nothingIsSentWhenTheCallIsOver() async {
        let sent = Locked(0)
        let next = Next(
            FunctionTransport { _, _ in
                sent.change { $0 += 1 }
                return StreamedResponse(head: ResponseHead(status: .ok))
            })
        let context = CallContext.test(.test(), clock, listeners: [log])
        context.call.end(.init(.shutdown, "m"))
        let error = await failure(next, .test(), context)
        #expect(error?.code == .shutdown)
        #expect(error?.phase == .queued)
        #expect(sent.value == 0)
        #expect(log.attempts.isEmpty)
    }

    @Test func hooksChangeTheRequestAndSeeTheHead() async throws {
        var context = CallContext.test(.test(), clock)
        let hooks = [Hook(name: "X-A"), Hook(name: "X-B"), Hook()]
        context.hooks = hooks
        let sent = Locked<HTTPFields>([:])
        let next = Next(
            FunctionTransport { request, _ in
                sent.change { $0 = request.head.headerFields }
                return StreamedResponse(head: ResponseHead(status: .accepted))
            })
        _ = try await next(.test(), context)
        #expect(sent.value == ["X-A": "0", "X-B": "1"])
        #expect(hooks.map(\.received.value) == [[204], [204], [204]])
        context.hooks = [Hook(error: NetError(.authentication, phase: .preparing, message: "m"))]
        let error = await failure(next, .test(), context)
        #expect(error?.code == .authentication)
        #expect(error?.call?.id == context.id)
    }

    @Test func aTransportThatKnowsNothingOfTheClientIsEndedWithTheCall() async throws {
        for (endsWithCall, count) in [(false, 1), (true, 0)] {
            let calls = RunningCalls()
            var environment = CallContext.Environment(clock: clock.netClock)
            environment.calls = calls
            let context = CallContext(for: .test(), environment: environment)
            context.begin(.test())
            let source = HeldSource()
            let response = try await next(
                StreamedResponse(head: ok, body: ResponseBody(source: source)), endsWithCall: endsWithCall)(
                    .test(), context)
            calls.endAll(.init(.shutdown, "m"))
            #expect(source.cancellations == count)
            response.body.cancel()
        }
    }

    @Test func aResponseToACredentialOfAnotherIsMarked() async throws {
        let request = PreparedRequest.test(headers: [.authorization: "Bearer a"])
        let context = CallContext.test(request, clock)
        let response = next(StreamedResponse(head: ok))
        #expect(try await response(request, context).difference == nil)
        let known = context.identified(as: .everyone, of: request)
        #expect(try await response(request, known).difference == .header(.authorization))
        #expect(try await response(request, context.identified(by: request)).difference == nil)
    }

    @Test func exchangesAreCaptured() async throws {
        let capture = CaptureLog()
        let context = CallContext.test(.test(), clock, listeners: [capture])
        let source = HeldSource(["ab"])
        let head = ResponseHead(status: .ok, headers: [.contentType: "text/plain"])
        let response = try await next(StreamedResponse(head: head, body: ResponseBody(source: source)))(
            .test(method: .post, headers: [.contentType: "text/plain"], body: .bytes(Bytes("q".utf8))), context)
        _ = try await response.bytes()
        #expect(capture.exchanges.first?.response?.body.text == "ab")
        #expect(capture.exchanges.first?.request.body.text == "q")
        #expect(capture.names == ["captured", "attemptEnded"])
        let broken = Next(
            FunctionTransport { (_, _) throws(NetError) in throw NetError(.dns, phase: .resolving, message: "m") })
        _ = await failure(broken, .test(), context)
        #expect(capture.exchanges.last?.failure?.code == "dns")
    }

    @Test func theRequestOfAHandshakeIsKeptForThoseWhoHearOfSockets() async throws {
        let seen = Locked<[Bool]>([])
        let next = Next(
            FunctionTransport { _, context in
                seen.change { $0.append(context.handshake != nil) }
                return StreamedResponse(head: ResponseHead(status: .ok))
            })
        let socket = PreparedRequest.test { $0.webSocket = WebSocketOptions() }
        for (request, interest) in [
            (socket, ActivityInterest.sockets), (socket, .calls), (.test(), .sockets),
        ] {
            _ = try await next(request, .test(request, clock, listeners: [EventLog(interest)]))
        }
        #expect(seen.value == [true, false, false])
    }
}
