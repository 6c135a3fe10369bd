import NetClient
import NetCore
import Testing

@Suite struct TokenBucketTests {
    @Test func aBurstGoesAtOnceAndTheRestAtTheRate() {
        var bucket = TokenBucket(rate: 10, burst: 3)
        let waits = (0..<6).map { _ in bucket.take(now: .zero) }
        #expect(waits.map { Int(($0 / .milliseconds(1)).rounded()) } == [0, 0, 0, 100, 200, 300])
    }

    @Test func itFillsUpToTheBurstAndNoFurther() {
        var bucket = TokenBucket(rate: 10, burst: 2)
        for _ in 0..<2 { _ = bucket.take(now: .zero) }
        let waits = (0..<3).map { _ in bucket.take(now: .seconds(3600)) }
        #expect(waits.map { Int(($0 / .milliseconds(1)).rounded()) } == [0, 0, 100])
    }

    @Test func aLookTakesNothing() {
        var bucket = TokenBucket(rate: 1, burst: 1)
        #expect(bucket.peek(now: .zero) == .zero)
        #expect(bucket.peek(now: .zero) == .zero)
        _ = bucket.take(now: .zero)
        #expect(bucket.peek(now: .zero) == .seconds(1))
    }

    @Test func returnedTokensGoToTheNextCall() {
        var bucket = TokenBucket(rate: 1, burst: 1)
        for _ in 0..<2 { _ = bucket.take(now: .zero) }
        bucket.giveBack()
        #expect(bucket.take(now: .zero) == .seconds(1))
    }

    @Test func theServersWishComesFirst() {
        var bucket = TokenBucket(rate: 10, burst: 10)
        bucket.block(until: .seconds(5))
        bucket.block(until: .seconds(3))
        #expect(bucket.take(now: .seconds(1)) == .seconds(4))
        #expect(bucket.take(now: .seconds(6)) == .zero)
    }

    @Test func afterTheServersWishTheyGoAtTheRate() {
        var bucket = TokenBucket(rate: 10, burst: 2)
        for _ in 0..<2 { _ = bucket.take(now: .zero) }
        bucket.block(until: .seconds(5))
        let waits = (0..<4).map { _ in bucket.take(now: .seconds(1)) }
        #expect(waits.map { Int(($0 / .milliseconds(1)).rounded()) } == [4000, 4000, 4100, 4200])
    }

    @Test(arguments: [0, -1, .nan, .infinity, 1e-300]) func aRateThatIsNoneIsTheSmallest(rate: Double) {
        var bucket = TokenBucket(rate: rate, burst: -5)
        #expect(bucket.take(now: .zero) == .zero)
        #expect(bucket.take(now: .zero) > .seconds(86_400))
    }

    @Test func aClockThatGoesBackwardsChangesNothing() {
        var bucket = TokenBucket(rate: 1, burst: 1)
        _ = bucket.take(now: .seconds(10))
        #expect(bucket.take(now: .seconds(5)) == .seconds(1))
    }
}
