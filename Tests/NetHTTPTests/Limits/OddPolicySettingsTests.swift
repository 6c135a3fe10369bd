import HTTPTypes
import NetClient
import NetHTTP
import Testing

@testable import ClientTestSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Computed settings, or settings changed later, don't trap.
@Suite struct OddPolicySettingsTests {
    private static let durations: [Duration] = [
        .seconds(1e20), .seconds(-1e20), .seconds(Int64.max), .seconds(Int64.min), .seconds(-1), .zero,
        .nanoseconds(1),
    ]
    private static let numbers = [Double.nan, .infinity, -.infinity, -1, 0, 1e300, .leastNonzeroMagnitude]

    @Test(arguments: durations) func aDurationThatNoFieldHoldsIsTheNearest(duration: Duration) {
        let timeouts = Timeouts(connect: duration, firstByte: duration, stall: duration, total: duration)
        #expect(timeouts.total.map { $0 >= .zero } ?? true)
        for cap in Self.durations {
            let backoff = Backoff(base: duration, cap: cap)
            #expect(backoff.delay(afterAttempt: 3, random: 0.5) <= max(cap, .zero))
        }
        var estimator = LatencyEstimator()
        estimator.add(duration)
        #expect(estimator.limit.map { $0 >= .zero } == true)
        var bucket = TokenBucket(rate: 1, burst: 1)
        bucket.block(until: duration)
        #expect(bucket.peek(now: .seconds(1)) >= .zero)
        #expect(!duration.seconds(places: 3).isEmpty)
    }

    @Test(arguments: numbers) func aFactorThatIsNoneLeavesAWait(number: Double) {
        var bucket = TokenBucket(rate: number, burst: .min)
        for _ in 0..<3 {
            let wait = bucket.take(now: .zero)
            #expect(wait >= .zero)
        }
        for jitter in [Backoff.Jitter.none, .full, .proportional(number)] {
            for attempt in [Int.min, 0, 1, 2, Int.max] {
                let wait = Backoff(factor: number, jitter: jitter).delay(afterAttempt: attempt, random: 0.3)
                #expect(wait >= .zero)
                #expect(wait <= .seconds(8))
            }
        }
        #expect(RetryBudget(ratio: number).available == 10)
        var weight = Weighted("a")
        weight.quality = number
        #expect(weight.quality >= 0)
        #expect(weight.quality <= 1)
        #expect(weight.description.hasPrefix("a"))
    }

    @Test func backoffWithNaNSettingsKeepsItsDelay() {
        // Without a delay, a source that reconnects would do nothing else.
        #expect(Backoff(factor: .nan, jitter: .none).delay(afterAttempt: 3, random: 0) == .milliseconds(500))
        let jitter = Backoff(factor: 1, jitter: .proportional(.nan))
        #expect(jitter.delay(afterAttempt: 1, random: 0) == .milliseconds(500))
    }

    @Test(arguments: [Int.min, -1, 0, 64, 65, 100, Int.max]) func aWindowThatWasChangedLaterIsOne(window: Int) {
        var policy = CircuitBreakerMiddleware.Policy(minimumCalls: 2)
        policy.window = window
        policy.minimumCalls = window == 0 ? 0 : 2
        var breaker = CircuitBreakerStateMachine(policy)
        for _ in 0..<3 { breaker.ended(.failure, wasProbe: false, now: .zero) }
        #expect(!breaker.isClosed)
    }

    @Test(arguments: [Int.min, -1, 0, Int.max]) func aReserveMayBeAnyNumber(reserve: Int) {
        let budget = RetryBudget(reserve: reserve)
        budget.deposit()
        #expect(budget.available == max(0, reserve))
        #expect(budget.withdraw() == (reserve > 0))
    }

    @Test(arguments: numbers) func aClockMayTellAnyTime(seconds: Double) {
        let clock = NetClock(now: { .zero }, date: { Date(timeIntervalSince1970: seconds) }, sleep: { _ in })
        let head = HTTPRequest(method: .get, scheme: "https", authority: "h", path: "/")
        let context = CallContext(for: PreparedRequest(head: head), environment: .init(clock: clock))
        #expect(!"\(context.id)".isEmpty)
    }
}
