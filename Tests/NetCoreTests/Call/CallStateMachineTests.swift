import TestSupport
import Testing

@testable import NetCore

@Suite struct CallStateMachineTests {
    private let reason = RunningCall.EndReason(.cancelled, "all of them")

    @Test func handlersAreCalledOnceWhenTheCallEnds() {
        var life = CallStateMachine()
        life.began(at: 7)
        for _ in 0..<3 {
            guard case .kept = life.waits({}) else {
                Issue.record("not kept")
                return
            }
        }
        let first = life.ended(reason)
        let again = life.ended(RunningCall.EndReason(.shutdown, "later"))
        #expect(first.count == 3)
        #expect(again.isEmpty)
        #expect(life.reason?.code == .cancelled)
        if case .late = life.waits({}) {} else { Issue.record("not late") }
        let place = life.finished()
        let second = life.finished()
        #expect(place == 7)
        #expect(second == nil)
        #expect(life.reason?.code == .cancelled)
    }

    @Test func aCallWithoutAClientIsEndedTooButHasNoPlace() {
        var life = CallStateMachine()
        if case .kept = life.waits({}) {} else { Issue.record("not kept") }
        let handlers = life.ended(reason)
        let place = life.finished()
        #expect(handlers.count == 1)
        #expect(place == nil)
    }

    @Test func permanentHandlersAreKeptOnlyWithAClient() {
        var life = CallStateMachine()
        if case .dropped = life.waits(forGood: true, {}) {} else { Issue.record("kept") }
        life.began(at: 0)
        if case .kept = life.waits(forGood: true, {}) {} else { Issue.record("not kept") }
    }

    @Test func aFinishedCallNotifiesNobody() {
        var life = CallStateMachine()
        life.began(at: 0)
        _ = life.waits {}
        let place = life.finished()
        let handlers = life.ended(reason)
        #expect(place == 0)
        #expect(handlers.isEmpty)
        #expect(life.reason == nil)
        if case .dropped = life.waits({}) {} else { Issue.record("not dropped") }
    }

    @Test func aForgottenHandlerIsNotCalled() {
        var life = CallStateMachine()
        var ids: [CallStateMachine.HandlerID] = []
        for _ in 0..<3 { if case .kept(let id) = life.waits({}) { ids.append(id) } }
        for id in ids.prefix(2) { life.forget(id) }
        let handlers = life.ended(reason)
        #expect(ids.count == 3)
        #expect(handlers.count == 1)
    }

    @Test func onlyTheOthersAreCalled() {
        let called = Locked<[Int]>([])
        for forgotten in 0..<3 {
            var life = CallStateMachine()
            var ids: [CallStateMachine.HandlerID] = []
            for number in 0..<3 {
                if case .kept(let id) = life.waits({ called.change { $0.append(number) } }) { ids.append(id) }
            }
            life.forget(ids[forgotten])
            called.change { $0 = [] }
            for handler in life.ended(reason) { handler() }
            #expect(called.value == (0..<3).filter { $0 != forgotten })
        }
    }
}
