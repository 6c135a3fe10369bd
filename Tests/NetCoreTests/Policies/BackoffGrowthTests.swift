import NetCore
import NetTesting
import Testing

@Suite struct BackoffGrowthTests {
    @Test func linearWaitsGrowByOneStep() {
        let backoff = Backoff.linear(.seconds(2), cap: .seconds(7), jitter: .none)
        let waits = (1...5).map { backoff.delay(afterAttempt: $0, random: 0.9) }
        #expect(waits == [.seconds(2), .seconds(4), .seconds(6), .seconds(7), .seconds(7)])
        #expect(backoff.delay(afterAttempt: -3, random: 0) == .seconds(2))
        #expect(backoff.delay(afterAttempt: .max, random: 0) == .seconds(7))
        #expect(Backoff.linear(.seconds(2)).delay(afterAttempt: 2, random: 0.5) == .seconds(2))
    }

    /// Marc Brooker's rule: between the base and three times the previous delay, up to the cap.
    @Test func decorrelatedWaitsComeFromTheOneBefore() {
        let backoff = Backoff.decorrelated(base: .seconds(1), cap: .seconds(20))
        #expect(backoff.delay(afterAttempt: 1, random: 0) == .seconds(1))
        #expect(backoff.delay(afterAttempt: 1, random: 0.5) == .seconds(2))
        #expect(backoff.delay(afterAttempt: 2, previous: .seconds(2), random: 0) == .seconds(1))
        #expect(backoff.delay(afterAttempt: 2, previous: .seconds(2), random: 0.5) == .milliseconds(3500))
        #expect(backoff.delay(afterAttempt: 2, previous: .seconds(15), random: 0.5) == .milliseconds(10_500), "the cap")
        // The previous delay isn't known and is assumed to be the longest.
        #expect(backoff.delay(afterAttempt: 2, random: 0.5) == .seconds(5))
    }

    @Test func decorrelatedWaitsStayWithinTheirBounds() {
        let random = SeededRandom(seed: 7).netRandom
        let backoff = Backoff.decorrelated()
        var (previous, waits) = (Duration?.none, Set<Duration>())
        for attempt in 1...500 {
            let wait = backoff.delay(afterAttempt: attempt, previous: previous, random: random.unit())
            let longest = min((previous ?? .milliseconds(500)) * 3, .seconds(8))
            #expect(wait >= .milliseconds(500))
            #expect(wait <= longest)
            waits.insert(wait)
            previous = wait
        }
        #expect(waits.count > 400)
    }

    @Test func oddSettingsNeverPassTheCap() {
        for growth in [Backoff.Growth.linear, .exponential] {
            for jitter in [Backoff.Jitter.none, .full, .proportional(3), .decorrelated] {
                for (base, factor, cap) in [
                    (-1, 2, 5), (9, .nan, 5), (1, -.infinity, 5), (1, .infinity, 0), (0, 1, -3),
                ] as [(Int, Double, Int)] {
                    let backoff = Backoff(
                        base: .seconds(base), factor: factor, cap: .seconds(cap), jitter: jitter, growth: growth)
                    for previous in [Duration?.none, .zero, .seconds(100)] {
                        let wait = backoff.delay(afterAttempt: 4, previous: previous, random: 0.5)
                        #expect(wait >= .zero, "\(backoff) \(wait)")
                        #expect(wait <= .seconds(max(cap, 0)), "\(backoff) \(wait)")
                    }
                }
            }
        }
    }
}
