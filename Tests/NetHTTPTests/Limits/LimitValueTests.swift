import NetCore
import Testing

@testable import NetClient
@testable import NetHTTP

/// Settings, their ranges, and the estimates made from times and outcomes.
@Suite struct LimitValueTests {
    @Test func settingsHaveDefaultsAndRanges() {
        let policy = CircuitBreakerMiddleware.Policy()
        #expect(policy.window == 20)
        #expect(policy.minimumCalls == 10)
        #expect(policy.failureRatio == 0.5)
        #expect(policy.openTime == .seconds(30))
        for (window, calls, expected) in [
            (0, 0, (1, 1)), (1, 1, (1, 1)), (64, 64, (64, 64)), (65, 99, (64, 64)), (5, 9, (5, 5)), (5, -1, (5, 1)),
        ] {
            let policy = CircuitBreakerMiddleware.Policy(window: window, minimumCalls: calls)
            #expect(policy.window == expected.0, "\(window) \(calls)")
            #expect(policy.minimumCalls == expected.1, "\(window) \(calls)")
        }
        let adaptive = AdaptiveTimeoutMiddleware()
        #expect(adaptive.factor == 3)
        #expect(adaptive.range == .milliseconds(250) ... .seconds(30))
        #expect(adaptive.endsWithCall)
        #expect(CircuitBreakerMiddleware().failureStatuses == [500, 502, 503, 504])
    }

    @Test func aBreakerOpensAtItsShareOfEnoughCalls() {
        func opens(_ outcomes: [CircuitBreakerStateMachine.Outcome], _ ratio: Double = 0.5) -> Bool {
            var breaker = CircuitBreakerStateMachine(.init(window: 4, minimumCalls: 2, failureRatio: ratio))
            for outcome in outcomes { breaker.ended(outcome, wasProbe: false, now: .zero) }
            return !breaker.isClosed
        }
        #expect(!opens([.failure]))
        #expect(opens([.failure, .failure]))
        #expect(opens([.success, .failure]))
        #expect(!opens([.failure, .success]))
        #expect(!opens([.success, .success, .failure]))
        #expect(!opens([.unknown, .failure]))
        #expect(opens([.failure, .unknown, .failure]))
        #expect(!opens([.success, .failure], 0.51))
        #expect(opens([.success, .success, .success, .failure], 0.25))
        var breaker = CircuitBreakerStateMachine(.init(window: 4, minimumCalls: 2, openTime: .seconds(5)))
        #expect(breaker.trip == nil)
        for outcome in [CircuitBreakerStateMachine.Outcome.success, .failure] {
            breaker.ended(outcome, wasProbe: false, now: .seconds(1))
        }
        #expect(breaker.trip == OpenCircuit.Trip(failures: 1, calls: 2))
        let times = [5, 6].map { breaker.admit(now: .seconds($0)) }
        #expect(times == [.refuse(for: .seconds(1)), .goAsProbe])
        breaker.ended(.failure, wasProbe: true, now: .seconds(7))
        #expect(breaker.trip?.failedProbes == 1)
        let again = breaker.admit(now: .seconds(12))
        breaker.ended(.success, wasProbe: true, now: .seconds(13))
        #expect(again == .goAsProbe)
        #expect(breaker.trip == nil)
        #expect(breaker.isClosed)
    }

    @Test func aLimitFollowsTheTimesThatWereMeasured() {
        var estimator = LatencyEstimator()
        #expect(estimator.limit == nil)
        #expect(estimator.average == nil)
        estimator.add(.seconds(8))
        #expect(estimator.average == .seconds(8))
        #expect(estimator.limit == .seconds(24))
        estimator.add(.seconds(16))
        // The deviation is 4 + (8 - 4) / 4, the mean 8 + 8 / 8.
        #expect(estimator.average == .seconds(9))
        #expect(estimator.limit == .seconds(29))
        estimator.add(.seconds(-1))
        #expect(estimator.average == .seconds(7.875), "no time is negative")
    }
}
