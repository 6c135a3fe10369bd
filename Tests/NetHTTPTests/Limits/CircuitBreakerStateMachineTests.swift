import NetHTTP
import Testing

@testable import ClientTestSupport

@Suite struct CircuitBreakerStateMachineTests {
    private let policy = CircuitBreakerMiddleware.Policy(
        window: 4, minimumCalls: 2, failureRatio: 0.5, openTime: .seconds(10))

    private func opened() -> CircuitBreakerStateMachine {
        var breaker = CircuitBreakerStateMachine(policy)
        for _ in 0..<2 { breaker.ended(.failure, wasProbe: false, now: .zero) }
        return breaker
    }

    @Test func oneFailureIsTooFewToTell() {
        var breaker = CircuitBreakerStateMachine(policy)
        breaker.ended(.failure, wasProbe: false, now: .zero)
        #expect(breaker.admit(now: .zero) == .go)
    }

    @Test func enoughFailuresOpenItForItsTime() {
        var breaker = opened()
        #expect(!breaker.isClosed)
        #expect(breaker.admit(now: .seconds(4)) == .refuse(for: .seconds(6)))
        #expect(breaker.admit(now: .seconds(10)) == .goAsProbe)
        #expect(breaker.admit(now: .seconds(10)) == .refuse(for: .zero))
    }

    @Test func aProbeThatSucceedsClosesItAndForgets() {
        var breaker = opened()
        _ = breaker.admit(now: .seconds(10))
        breaker.ended(.success, wasProbe: true, now: .seconds(11))
        #expect(breaker.isClosed)
        breaker.ended(.failure, wasProbe: false, now: .seconds(12))
        #expect(breaker.admit(now: .seconds(12)) == .go)
    }

    @Test func aProbeThatFailsOpensItAnew() {
        var breaker = opened()
        _ = breaker.admit(now: .seconds(10))
        breaker.ended(.failure, wasProbe: true, now: .seconds(12))
        #expect(breaker.admit(now: .seconds(20)) == .refuse(for: .seconds(2)))
    }

    @Test func aProbeThatSaysNothingLetsAnotherThrough() {
        var breaker = opened()
        _ = breaker.admit(now: .seconds(10))
        breaker.ended(.unknown, wasProbe: true, now: .seconds(12))
        #expect(breaker.admit(now: .seconds(12)) == .goAsProbe)
    }

    @Test func outcomesOfCallsBegunBeforeOpeningAreIgnored() {
        var breaker = opened()
        breaker.ended(.success, wasProbe: false, now: .seconds(1))
        #expect(breaker.admit(now: .seconds(1)) == .refuse(for: .seconds(9)))
        _ = breaker.admit(now: .seconds(10))
        breaker.ended(.failure, wasProbe: false, now: .seconds(11))
        #expect(breaker.admit(now: .seconds(11)) == .refuse(for: .zero))
    }

    @Test func oldOutcomesLeaveTheWindow() {
        var breaker = CircuitBreakerStateMachine(policy)
        breaker.ended(.failure, wasProbe: false, now: .zero)
        for _ in 0..<4 { breaker.ended(.success, wasProbe: false, now: .zero) }
        breaker.ended(.failure, wasProbe: false, now: .zero)
        #expect(breaker.isClosed)
        breaker.ended(.failure, wasProbe: false, now: .zero)
        #expect(!breaker.isClosed)
    }

    @Test func theLargestWindowHolds() {
        var breaker = CircuitBreakerStateMachine(.init(window: 1000, minimumCalls: 1000, failureRatio: 1))
        for _ in 0..<63 { breaker.ended(.failure, wasProbe: false, now: .zero) }
        #expect(breaker.isClosed)
        breaker.ended(.failure, wasProbe: false, now: .zero)
        #expect(!breaker.isClosed)
    }
}
