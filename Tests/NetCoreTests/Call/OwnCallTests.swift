import HTTPTypes
import NetTesting
import TestSupport
import Testing

@testable import NetCore

@Suite(.timeLimit(.minutes(1))) struct OwnCallTests {
    private let clock = TestClock()
    private let log = EventLog()

    private func outer(total: Duration? = nil) -> CallContext {
        .test(.test(), clock, total: total, listeners: [log])
    }

    private func next(_ status: HTTPResponse.Status, _ body: ResponseBody = ResponseBody()) -> Next {
        Next { _, _ in StreamedResponse(head: ResponseHead(status: status), body: body) }
    }

    @Test func aCallOfItsOwnBeginsAndEnds() async throws {
        let call = outer().beginCall(.test("/own", method: .post, body: .bytes(Bytes("abc".utf8))))
        #expect(log.names == ["started"])
        guard case .started(let bytes) = log.events[0].kind else { return }
        #expect(bytes == 3)
        #expect(log.events[0].url == "https://a.test/own")
        let text = try await call.run(through: next(.ok, ResponseBody(source: HeldSource(["a", "bc"])))) {
            try await $0.text()
        }
        #expect(text == "abc")
        #expect(log.names == ["started", "completed"])
        #expect(log.events[1].status == 200)
        guard case .ended(let outcome) = log.events[1].kind else { return }
        #expect(outcome.responseBytes == 3)
    }

    @Test func aStatusThatIsNotAcceptedIsARejection() async throws {
        let call = outer().beginCall(.test())
        let bytes = try await call.run(through: next(.notFound, ResponseBody(Bytes("no".utf8)))) {
            try await $0.bytes()
        }
        #expect(bytes.count == 2)
        #expect(log.names == ["started", "rejected"])
        #expect(log.events[1].status == 404)
    }

    @Test func itIsMadeOnlyOnce() async throws {
        let call = outer().beginCall(.test())
        _ = try await call.run(through: next(.ok)) { _ in 1 }
        let again = await #expect(throws: NetError.self) { try await call.run(through: next(.ok)) { _ in 2 } }
        #expect(again?.code == .invalidRequest)
        #expect(again?.phase == .middleware)
        #expect(log.names == ["started", "completed"])
    }

    @Test func anErrorOfIsTheEndOfIt() async throws {
        struct Odd: Error {}
        for (thrown, code, name) in [
            (NetError(.dns, phase: .resolving, message: "m") as any Error, NetError.Code.dns, "failed"),
            (Odd(), .middleware, "failed"), (CancellationError(), .cancelled, "cancelled"),
        ] {
            let call = outer().beginCall(.test())
            let error = await #expect(throws: NetError.self) {
                try await call.run(through: next(.ok)) { _ -> Int in throw thrown }
            }
            #expect(error?.code == code)
            #expect(error?.call?.id == call.context.id)
            #expect(log.names.last == name)
        }
    }

    @Test func theEndOfTheCallExplainsItsError() async throws {
        let call = outer(total: .seconds(3)).beginCall(.test(), timeouts: Timeouts(total: .seconds(1)))
        let task = Task { [clock] in
            try await call.run(through: next(.ok)) { _ in try await clock.netClock.sleep(for: .seconds(9)) }
        }
        try await clock.waitForSleepers(count: 2)
        await clock.advance(by: .seconds(1))
        let error = await #expect(throws: NetError.self) { try await task.value }
        #expect(error?.code == .timeout)
        #expect(log.names == ["started", "failed"])
    }

    @Test func aCancelledTaskEndsIt() async throws {
        let call = outer().beginCall(.test())
        let task = Task { [clock] in
            try await call.run(through: next(.ok)) { _ in try await clock.netClock.sleep(for: .seconds(9)) }
        }
        try await clock.waitForSleepers(count: 1)
        task.cancel()
        let error = await #expect(throws: NetError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(log.names == ["started", "cancelled"])
    }

    @Test func aCallThatIsDroppedIsCancelled() {
        do { _ = outer().beginCall(.test()) }
        #expect(log.names == ["started", "cancelled"])
    }

    @Test func itInheritsWhatItIsNotGiven() {
        let context = CallContext(
            for: .test(), timeouts: Timeouts(connect: .seconds(4), total: .seconds(8)),
            environment: .init(clock: clock.netClock)
        ).identified(as: .named("ann"), of: .test())
        let request = PreparedRequest.test { $0.maximumResponseBytes = 77 }
        let call = context.beginCall(request, timeouts: Timeouts(total: .seconds(2)))
        #expect(call.context.delivery == .collected(upTo: 77))
        #expect(call.context.deadline == .seconds(2))
        #expect(call.context.timeouts.connect == .seconds(4))
        #expect(call.context.id != context.id)
        #expect(call.context.identity(of: request) == .named("ann"))
        #expect(context.beginCall(request, delivery: .streamed).context.delivery == .streamed)
        #expect(context.beginCall(request).context.deadline == .seconds(8))
    }

    @Test func itsBodyIsCancelledWithTheCall() async throws {
        let calls = RunningCalls()
        var environment = CallContext.Environment(clock: clock.netClock)
        environment.calls = calls
        let call = CallContext(for: .test(), environment: environment).beginCall(.test())
        let source = HeldSource()
        let error = await #expect(throws: NetError.self) {
            try await call.run(through: next(.ok, ResponseBody(source: source))) { _ -> Int in
                calls.endAll(.init(.shutdown, "m"))
                #expect(source.cancellations > 0)
                throw CancellationError()
            }
        }
        #expect(error?.code == .shutdown)
        #expect(calls.count == 0)
    }
}
