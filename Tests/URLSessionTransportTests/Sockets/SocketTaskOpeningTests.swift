import HTTPTypes
import NetCore
import Testing

@Suite struct SocketTaskOpeningTests {
    private let head = ResponseHead(status: .switchingProtocols)

    private func begun(_ settings: SocketTaskStateMachine.Settings = .init(connectTimeout: .seconds(10)))
        -> MachineBench
    {
        var bench = MachineBench(settings)
        bench.name(bench.machine.begin(), "opener")
        #expect(bench.effects() == ["start"])
        return bench
    }

    @Test func anAcceptedHandshakeOpensAndAsksForTheFirstMessage() {
        var bench = begun(.init(subprotocols: ["a", "b"], connectTimeout: .seconds(10)))
        #expect(bench.deadline == .seconds(10))
        bench.machine.didOpen(head, subprotocol: "b", now: .zero)
        #expect(bench.effects() == ["opener: opened b", "receive"])
        #expect(bench.deadline == nil)
        #expect(bench.reports == ["opened b"])
    }

    @Test func aSubprotocolThatWasNotOfferedIsAViolation() {
        var bench = begun(.init(subprotocols: ["a"]))
        bench.machine.didOpen(head, subprotocol: "z", now: .zero)
        #expect(bench.effects() == ["opener: protocolViolation", "cancel"])
    }

    @Test func anotherStatusIsARefusalAndNotAnError() {
        var bench = begun()
        bench.machine.didComplete(
            .ofTask(.protocolViolation), head: ResponseHead(status: .unauthorized), closure: nil)
        #expect(bench.effects() == ["opener: refused 401"])
        #expect(bench.deadline == nil)
    }

    @Test func anAttemptThatFailsGetsItsError() {
        var bench = begun()
        bench.machine.didComplete(.ofTask(.dns), head: nil, closure: nil)
        #expect(bench.effects() == ["opener: dns"])
        var silent = begun()
        silent.machine.didComplete(nil, head: nil, closure: nil)
        #expect(silent.effects() == ["opener: connectionLost"])
        // A response 101 that URLSession rejects isn't a rejection by the server.
        var broken = begun()
        broken.machine.didComplete(.ofTask(.protocolViolation), head: head, closure: nil)
        #expect(broken.effects() == ["opener: protocolViolation"])
    }

    @Test func theConnectTimeoutEndsTheAttempt() {
        var bench = begun()
        bench.passDeadline(now: .seconds(10))
        #expect(bench.effects() == ["opener: timeout", "cancel"])
        bench.machine.didComplete(.ofTask(.cancelled), head: nil, closure: nil)
        bench.machine.didOpen(head, subprotocol: nil, now: .zero)
        #expect(bench.effects() == [])
    }

    @Test func aDeadlineThatWasReplacedDoesNothing() {
        var bench = begun()
        let former = bench.currentDeadline
        bench.machine.didOpen(head, subprotocol: nil, now: .zero)
        _ = bench.effects()
        bench.machine.deadlinePassed(former, now: .seconds(10))
        #expect(bench.effects() == [])
        #expect(bench.take() == "waits")
    }

    @Test func cancellingTheAttemptLeavesNothingOpen() {
        var bench = MachineBench()
        let opener = bench.machine.begin()
        bench.name(opener, "opener")
        bench.machine.cancelled(opener)
        bench.machine.cancelled(opener)
        #expect(bench.effects() == ["start", "opener: cancelled", "cancel"])
        bench.machine.didOpen(head, subprotocol: nil, now: .zero)
        #expect(bench.effects() == [])
    }

    @Test func shuttingDownEndsTheAttempt() {
        var bench = begun()
        bench.machine.shutDown()
        bench.machine.shutDown()
        #expect(bench.effects() == ["opener: shutdown", "cancel"])
    }
}
