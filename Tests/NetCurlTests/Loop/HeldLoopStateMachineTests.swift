#if os(Linux)
import Testing

@testable import NetCurl

@Suite struct HeldLoopStateMachineTests {
    @Test func theFifthLookAtOneCallEndsItsConnection() {
        var state = HeldLoopStateMachine()
        let begins = state.enter(7)
        #expect(begins)
        let actions = (0..<6).map { _ in state.look() }
        #expect(actions == [.none, .none, .none, .none, .end(7), .none])
        let wasEnded = state.leave()
        #expect(wasEnded)
        let wasEndedAgain = state.leave()
        #expect(!wasEndedAgain)
    }

    @Test func callsThatComeBackAreLeftAlone() {
        var state = HeldLoopStateMachine()
        for _ in 0..<20 {
            _ = state.enter(7)
            let action = state.look()
            #expect(action == .none)
            let wasEnded = state.leave()
            #expect(!wasEnded)
        }
    }

    @Test func closedDescriptorsAreNotShutDown() {
        var state = HeldLoopStateMachine()
        _ = state.enter(7)
        state.closed(8)
        state.closed(7)
        let actions = (0..<6).map { _ in state.look() }
        #expect(actions.allSatisfy { $0 == .none })
    }

    @Test func nobodyLooksForLongWhereNothingHappens() {
        var state = HeldLoopStateMachine()
        _ = state.enter(7)
        _ = state.leave()
        let actions = (0..<11).map { _ in state.look() }
        #expect(actions.dropLast().allSatisfy { $0 == .none })
        #expect(actions.last == .stopWatching)
        let begins = state.enter(7)
        let beginsTwice = state.enter(7)
        #expect(begins)
        #expect(!beginsTwice)
    }
}
#endif
