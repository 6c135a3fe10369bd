import NetCore
import NetTesting
import Testing

@Suite struct BackoffTests {
    @Test func waitsDoubleUpToTheCap() {
        let backoff = Backoff(jitter: .none)
        let waits = (1...7).map { backoff.delay(afterAttempt: $0, random: 0.9) }
        #expect(waits == [500, 1000, 2000, 4000, 8000, 8000, 8000].map { Duration.milliseconds($0) })
        #expect(backoff.delay(afterAttempt: 0, random: 0) == .milliseconds(500))
        #expect(backoff.delay(afterAttempt: -5, random: 0) == .milliseconds(500))
    }

    @Test func noWaitIsLongerThanTheCapWhateverTheJitter() {
        let random = SeededRandom(seed: 13).netRandom
        for jitter in [Backoff.Jitter.none, .full, .proportional(0.5), .proportional(5)] {
            let backoff = Backoff(jitter: jitter)
            for attempt in 1...40 {
                let wait = backoff.delay(afterAttempt: attempt, random: random.unit())
                #expect(wait >= .zero)
                #expect(wait <= .seconds(8))
            }
        }
    }

    @Test func jitterSpreadsAsItSays() {
        let full = Backoff()
        #expect(full.jitter == .full)
        #expect(full.delay(afterAttempt: 2, random: 0) == .zero)
        #expect(full.delay(afterAttempt: 2, random: 0.25) == .milliseconds(250))
        let part = Backoff(jitter: .proportional(0.2))
        #expect(part.delay(afterAttempt: 2, random: 0) == .milliseconds(800))
        #expect(part.delay(afterAttempt: 2, random: 0.5) == .seconds(1))
        #expect(part.delay(afterAttempt: 9, random: 0.99) == .seconds(8))
    }

    @Test func aConstantWaitIsExact() {
        for milliseconds in 0..<3000 {
            let wait = Duration.milliseconds(milliseconds)
            #expect(Backoff.constant(wait).delay(afterAttempt: 3, random: 0.7) == wait)
        }
    }

    @Test func hugeSettingsDoNotTrap() {
        for cap in [Duration.seconds(Int64.max), .seconds(1 << 40), .zero, .seconds(-1)] {
            for factor in [0, 0.5, 1, 2, 1e300, .infinity] {
                let backoff = Backoff(base: .seconds(1 << 38), factor: factor, cap: cap, jitter: .none)
                for attempt in [1, 2, 100, Int.max] {
                    #expect(backoff.delay(afterAttempt: attempt, random: 0.5) <= max(cap, .zero))
                }
            }
        }
        #expect(Backoff.constant(.seconds(Int64.max)).delay(afterAttempt: 1, random: 0) > .seconds(1 << 32))
    }
}
