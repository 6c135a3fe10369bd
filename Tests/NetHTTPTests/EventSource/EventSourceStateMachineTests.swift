import NetCore
import Testing

@testable import NetHTTP

@Suite struct EventSourceStateMachineTests {
    private typealias Machine = EventSourceStateMachine

    private let stream = Machine.Answer(status: 200, contentType: "text/event-stream; charset=utf-8")
    private let lost = NetError(.connectionLost, phase: .receiving, message: "lost")

    private func status(_ code: Int) -> NetError {
        NetError(
            .unacceptableStatus, phase: .validating, message: "no",
            response: .init(head: ResponseHead(status: .init(code: code)), body: Bytes()))
    }

    private func text(_ action: Machine.Action) -> String {
        switch action {
        case .connect(let id): "connect \(id)"
        case .wait(let duration): "wait \(duration.components.seconds)"
        case .read: "read"
        case .end: "end"
        case .fail(let error): "fail \(error.code)"
        case .none: "none"
        }
    }

    private func machine(
        _ configuration: EventSource.Configuration = .init(), isRepeatable: Bool = true
    ) -> Machine {
        Machine(configuration, isRepeatable: isRepeatable)
    }

    @Test func aStreamIsReadAgainAfterTheServersTime() {
        var machine = machine()
        #expect(machine.readyState == .closed)
        #expect(text(machine.begin()) == "connect ")
        #expect(machine.readyState == .connecting)
        #expect(text(machine.responded(stream)) == "read")
        #expect(machine.readyState == .open)
        machine.received(lastEventID: "7", reconnectionTime: .seconds(11))
        #expect(text(machine.streamEnded()) == "wait 11")
        #expect(machine.readyState == .connecting)
        #expect(text(machine.waitIsOver()) == "connect 7")
        #expect(text(machine.responded(.init(status: 204))) == "end")
        #expect(machine.readyState == .closed)
        #expect(text(machine.begin()) == "connect 7")
    }

    @Test(
        arguments: [
            (nil, "fail"), ("text/html", "fail"), ("text/event-stream", "read"),
            ("TEXT/Event-Stream ;charset=x", "read"), ("text/event-stream; charset = utf-8", "read"),
            ("text/event-stream;x", "read"),
            ("text/event-streams", "fail"), ("application/event-stream", "fail"), ("", "fail"),
        ] as [(String?, String)])
    func theContentTypeDecides(type: String?, action: String) {
        var machine = machine()
        _ = machine.begin()
        #expect(text(machine.responded(.init(status: 200, contentType: type))).hasPrefix(action))
        #expect(machine.readyState == (action == "read" ? .open : .closed))
    }

    @Test(
        arguments: [
            (.dns, true), (.connect, true), (.connectionLost, true), (.timeout, true), (.tls, false),
            (.cancelled, false),
            (.shutdown, false), (.bodyTooLarge, false), (.decoding, false), (.invalidRequest, false),
            (.protocolViolation, false), (.networkDenied, false), (.unacceptableStatus, false),
        ] as [(NetError.Code, Bool)])
    func onlyWhatMayPassIsTriedAgain(code: NetError.Code, isRepeated: Bool) {
        var machine = machine()
        _ = machine.begin()
        let action = machine.failed(NetError(code, phase: .waiting, message: ""), retryAfter: nil, random: 0)
        #expect(text(action) == (isRepeated ? "wait 3" : "fail \(code)"))
    }

    @Test func waitsGrowWithFailuresAndStartAnewWithAStream() {
        var machine = machine()
        _ = machine.begin()
        var waits: [String] = []
        for _ in 0..<7 {
            waits.append(text(machine.failed(lost, retryAfter: nil, random: 0.999_999)))
            _ = machine.waitIsOver()
        }
        // The first delay is only the server's time; then 1, 2, 4 … 30 s are added, with full jitter.
        #expect(waits == ["wait 3", "wait 3", "wait 4", "wait 6", "wait 10", "wait 18", "wait 32"])
        _ = machine.responded(stream)
        #expect(text(machine.failed(lost, retryAfter: nil, random: 0.999_999)) == "wait 3")
    }

    @Test func aStatusIsRepeatedOnlyWhereItIsListed() {
        var strict = machine()
        _ = strict.begin()
        #expect(text(strict.failed(status(503), retryAfter: .seconds(1), random: 0)) == "fail unacceptableStatus")
        var patient = machine(.init(reconnect: ReconnectPolicy()))
        _ = patient.begin()
        #expect(text(patient.failed(status(503), retryAfter: .seconds(60), random: 0)) == "wait 60")
        _ = patient.waitIsOver()
        #expect(text(patient.failed(status(429), retryAfter: .seconds(301), random: 0)) == "fail unacceptableStatus")
        _ = patient.begin()
        #expect(text(patient.failed(status(404), retryAfter: nil, random: 0)) == "fail unacceptableStatus")
    }

    @Test func attemptsAreCounted() {
        var machine = machine(.init(reconnect: ReconnectPolicy(maximumAttempts: 2)))
        _ = machine.begin()
        #expect(text(machine.failed(lost, retryAfter: nil, random: 0)) == "wait 3")
        _ = machine.waitIsOver()
        #expect(text(machine.failed(lost, retryAfter: nil, random: 0)) == "fail connectionLost")
        // The loss of a stream doesn't count as an attempt.
        _ = machine.begin()
        _ = machine.responded(stream)
        #expect(text(machine.failed(lost, retryAfter: nil, random: 0)) == "wait 3")
        _ = machine.waitIsOver()
        #expect(text(machine.failed(lost, retryAfter: nil, random: 0)) == "wait 3")
        _ = machine.waitIsOver()
        #expect(text(machine.failed(lost, retryAfter: nil, random: 0)) == "fail connectionLost")
    }

    @Test func streamsThatMayNotBeRepeatedDoNotReconnect() {
        for machine in [machine(isRepeatable: false), machine(.init(reconnect: .never))] {
            var ended = machine
            _ = ended.begin()
            _ = ended.responded(stream)
            #expect(text(ended.streamEnded()) == "end")
            var lostOnTheWay = machine
            _ = lostOnTheWay.begin()
            #expect(text(lostOnTheWay.failed(lost, retryAfter: nil, random: 0)) == "fail connectionLost")
        }
    }

    @Test func aServersTimeHasALimit() {
        var machine = machine()
        machine.received(lastEventID: "", reconnectionTime: .seconds(1_000_000))
        #expect(machine.reconnectionTime == .seconds(300))
        machine.received(lastEventID: "", reconnectionTime: .zero)
        machine.received(lastEventID: "", reconnectionTime: nil)
        #expect(machine.reconnectionTime == .zero)
    }

    @Test func eventsOutOfTurnDoNothing() {
        var machine = machine()
        #expect(text(machine.waitIsOver()) == "none")
        #expect(text(machine.responded(stream)) == "none")
        #expect(text(machine.streamEnded()) == "none")
        #expect(text(machine.closed()) == "none")
        #expect(text(machine.failed(lost, retryAfter: nil, random: 0)) == "none")
        _ = machine.begin()
        #expect(text(machine.begin()) == "none")
        #expect(text(machine.waitIsOver()) == "none")
        #expect(text(machine.closed()) == "end")
        #expect(text(machine.responded(stream)) == "none")
    }

    /// After the beginning of a stream, every break is a network error.
    @Test(
        arguments: [
            (.protocolViolation, true), (.invalidFraming, true), (.headersTooLarge, true), (.tls, true),
            (.connectionLost, true), (.timeout, true), (.decoding, false), (.bodyTooLarge, false), (.cancelled, false),
            (.shutdown, false), (.digestMismatch, false),
        ] as [(NetError.Code, Bool)])
    func aStreamThatBreaksIsReadAgain(code: NetError.Code, isRepeated: Bool) {
        // Also if it breaks before its head was examined.
        for isOpen in [true, false] {
            var machine = machine()
            _ = machine.begin()
            if isOpen { _ = machine.responded(stream) }
            let action = machine.failed(NetError(code, phase: .receiving, message: ""), retryAfter: nil, random: 0)
            #expect(text(action) == (isRepeated ? "wait 3" : "fail \(code)"))
        }
    }
}
